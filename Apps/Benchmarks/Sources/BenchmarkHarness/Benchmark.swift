import AllocationCounter
import Foundation

/// A cost and its budget: a row of the table.
///
/// ```swift
/// Benchmark.allocations("malloc and free", atMost: 1) {
///   for _ in 0..<1_000 { free(identity(malloc(32))) }
///   return 1_000
/// }
/// ```
public struct Benchmark: Sendable {
  public var name: String

  /// The budget: the maximum of the measured value.
  public var atMost: Double

  public var kind: Kind

  /// Performs operations and returns their number.
  ///
  /// The operations of one call should take at least some microseconds. Pass inputs to ``identity(_:)`` and results to
  /// ``blackHole(_:)``, or the optimiser may remove the work.
  public typealias Work = @Sendable () async throws -> Int

  public enum Kind: Sendable {
    /// An amount that is the same in every run; `nil` if this system cannot count it.
    case counted(unit: String, @Sendable () -> Double?)
    /// The time of an operation, divided by the time of a baseline's operation.
    case ratio(of: Work, to: String, baseline: Work)
  }

  /// Counts the allocations of one operation on the calling thread.
  ///
  /// The mean of a call's operations is rounded, so that it does not include the few allocations of the call itself.
  public static func allocations(
    _ name: String, atMost: Double, of work: @escaping @Sendable () -> Int
  ) -> Benchmark {
    let kind = Kind.counted(unit: "allocations") {
      // The first call makes the allocations that live as long as the process.
      _ = work()
      return countAllocations(of: work).map { (Double($0.count.allocations) / Double($0.result)).rounded() }
    }
    return Benchmark(name: name, atMost: atMost, kind: kind)
  }

  /// Counts the bytes that stay allocated for each object.
  public static func bytes(
    _ name: String, atMost: Double, count: Int = 1_000, keptBy make: @escaping @Sendable (_ count: Int) -> Any
  ) -> Benchmark {
    let kind = Kind.counted(unit: "bytes") {
      blackHole(make(count))
      // Otherwise, malloc could reuse slightly larger blocks of other benchmarks.
      let filling = (1...32).flatMap { size in (0..<10_000).map { _ in malloc(16 * size - 8) } }
      defer { filling.forEach { free($0) } }
      return countAllocations(of: { make(count) }).map { (Double($0.count.live_bytes) / Double(count)).rounded() }
    }
    return Benchmark(name: name, atMost: atMost, kind: kind)
  }

  /// Counts the maximum of bytes that are allocated at the same time.
  public static func peak(_ name: String, atMost: Double, of work: @escaping @Sendable () -> Void) -> Benchmark {
    let kind = Kind.counted(unit: "bytes at most") {
      work()
      return countAllocations(of: work).map { Double($0.count.peak_bytes) }
    }
    return Benchmark(name: name, atMost: atMost, kind: kind)
  }

  /// Counts an amount of any unit.
  public static func amount(
    _ name: String, of unit: String, atMost: Double, _ count: @escaping @Sendable () -> Double
  ) -> Benchmark {
    Benchmark(name: name, atMost: atMost, kind: .counted(unit: unit, count))
  }

  /// Divides the time of an operation by the time of a baseline's operation.
  public static func ratio(
    _ name: String, atMost: Double, to: String, of work: @escaping Work, baseline: @escaping Work
  ) -> Benchmark {
    Benchmark(name: name, atMost: atMost, kind: .ratio(of: work, to: to, baseline: baseline))
  }
}

/// Runs work and counts the calling thread's allocations, before the release of the result.
///
/// - Returns: The result and the count; `nil` if this system cannot count.
func countAllocations<Result>(of work: () -> Result) -> (result: Result, count: AllocationCount)? {
  guard allocation_counter_is_available() else { return nil }
  allocation_counter_start()
  let result = work()
  return (result, allocation_counter_stop())
}

/// Returns its argument, hidden from the optimiser.
@inline(never)
@_optimize(none)
public func identity<Value>(_ value: Value) -> Value { value }

/// Does nothing, but the optimiser must assume that it uses its argument.
@inline(never)
@_optimize(none)
public func blackHole<Value>(_ value: Value) {}
