public import Dispatch

extension Parallel {
  /// Returns a parallel whose value arrives on a queue.
  ///
  /// ```swift
  /// page.receive(on: .main).run { show($0) }
  /// ```
  public func receive(on queue: DispatchQueue) -> Parallel {
    Parallel(after: self) { next in
      start { value in
        let parcel = Parcel(value)
        queue.async { next(parcel.take()) }
      }
    }
  }

  /// Returns a parallel that starts its work on a queue, independent of the thread that calls `run`.
  ///
  /// ```swift
  /// Parallel { callback in callback(slowlyComputed()) }.start(on: .global())
  /// ```
  public func start(on queue: DispatchQueue) -> Parallel {
    Parallel(after: self) { next in queue.async { start(next) } }
  }
}
