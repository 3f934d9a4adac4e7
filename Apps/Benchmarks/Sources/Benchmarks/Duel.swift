import BenchmarkHarness
import Dispatch

/// Runs two closures on two threads, each over the same objects.
///
/// The objects are made before and freed after the measured part, in batches of 4,096 that fit in a cache.
func duel<Object: AnyObject & Sendable>(
  _ count: Int, _ stopwatch: Stopwatch, make: () -> Object, first: @escaping @Sendable (Object) -> Void,
  second: @escaping @Sendable (Object) -> Void
) {
  let works = [first, second]
  var rest = count
  while rest > 0 {
    let objects = (0..<min(rest, 4_096)).map { _ in make() }
    rest -= objects.count
    let borrowed = objects.map { Unmanaged.passUnretained($0) }
    stopwatch.measure {
      DispatchQueue.concurrentPerform(iterations: 2) { index in
        for object in borrowed { object._withUnsafeGuaranteedRef(works[index]) }
      }
    }
    withExtendedLifetime(objects) {}
  }
}
