public import Dispatch

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension RandomAccessCollection where Self: Sendable, Element: Sendable {
  /// Transforms each element, spread over the cores, and calls back with the results in the order of the elements.
  ///
  /// For work that keeps a core busy. Elements are handed out in chunks, several to a core, so that short work is not
  /// eaten up by the handing out and uneven work still spreads.
  ///
  /// - Parameters:
  ///   - queue: Where each run starts and calls back; it takes part in the work. Other threads come from the system.
  ///   - transform: Called once for each element in each run, on several threads at the same time.
  /// - Returns: A parallel of the results; an empty collection calls back with an empty array.
  ///
  /// ```swift
  /// pictures.concurrentMap { $0.thumbnail() }.run { show($0) }
  /// ```
  @inlinable
  @preconcurrency
  public func concurrentMap<NewValue>(
    on queue: DispatchQueue = .global(),
    _ transform: @escaping @Sendable (Element) -> NewValue
  ) -> Parallel<[NewValue]> {
    // Inlinable so that the loop is made for the types at hand: with short work it is most of the cost.
    Parallel<[NewValue]>(computedOn: queue) {
      let count = count
      let chunkCount = chunkCount(for: count)
      return Array(unsafeUninitializedCapacity: count) { buffer, initializedCount in
        // Each place is written by the one chunk that it belongs to, and read after all of them have ended.
        nonisolated(unsafe) let results = buffer
        DispatchQueue.concurrentPerform(iterations: chunkCount) { chunk in
          let first = count * chunk / chunkCount
          var index = index(startIndex, offsetBy: first)
          for place in first..<(count * (chunk + 1) / chunkCount) {
            results.initializeElement(at: place, to: transform(self[index]))
            formIndex(after: &index)
          }
        }
        initializedCount = count
      }
    }
  }
}

extension Parallel {
  /// A parallel of what a function computes, on a queue.
  @usableFromInline
  init(computedOn queue: DispatchQueue, _ compute: @escaping @Sendable () -> Value) {
    self.init(starting: { receiver in
      queue.async { receiver.deliver(Parcel(unchecked: compute()).take()) }
    })
  }
}

/// How many chunks to hand out: enough for uneven work to spread, few enough for handing out to cost nothing.
@usableFromInline
func chunkCount(for count: Int) -> Int {
  let cores = Swift.max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  return Swift.min(count, cores * 8)
}
