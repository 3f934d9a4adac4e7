import BenchmarkHarness
import Dispatch

/// Lets two threads go through the same objects at the same time, each doing something of its own to them.
///
/// The objects are made before and freed after what is measured, a few thousand at a time, which fit in a cache. Nothing
/// retains them meanwhile but the two themselves.
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
