public import Dispatch

extension Parallel {
  /// Returns a parallel whose value arrives on a queue.
  ///
  /// ```swift
  /// page.receive(on: .main).run { show($0) }
  /// ```
  public func receive(on queue: DispatchQueue) -> Parallel {
    Parallel(
      Stage { next in
        start { value in
          let parcel = Parcel(value)
          queue.async { next.call(parcel.take()) }
        }
      })
  }

  /// Returns a parallel that starts its work on a queue, independent of the thread that calls `run`.
  ///
  /// ```swift
  /// Parallel { callback in callback(slowlyComputed()) }.start(on: .global())
  /// ```
  public func start(on queue: DispatchQueue) -> Parallel {
    Parallel(Stage { next in queue.async { work.call(next) } })
  }
}

extension RandomAccessCollection where Self: Sendable, Element: Sendable {
  /// Returns a parallel of the transformed elements in their order, computed on all cores.
  ///
  /// ```swift
  /// pictures.concurrentMap { $0.thumbnail() }.run { show($0) }
  /// ```
  ///
  /// Use it for work that keeps a core busy. `queue` calls back and takes part in the work; `transform` is called on
  /// several threads at the same time.
  @inlinable
  @preconcurrency
  public func concurrentMap<NewValue>(
    on queue: DispatchQueue = .global(),
    _ transform: @escaping @Sendable (Element) -> NewValue
  ) -> Parallel<[NewValue]> {
    // Inlinable, because for short work an unspecialised loop is most of the cost.
    Parallel<[NewValue]>(Stage { next in queue.async { next.call(concurrentResults(transform)) } })
  }

  @inlinable
  func concurrentResults<NewValue>(_ transform: @escaping @Sendable (Element) -> NewValue) -> [NewValue] {
    let count = count
    // Enough chunks for the cores of large machines, and few enough for short work.
    let chunkCount = Swift.min(count, 256)
    return Array(unsafeUninitializedCapacity: count) { buffer, initializedCount in
      // Each place is written by one chunk, and read after all chunks have ended.
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
