public import Dispatch

extension Parallel {
  /// A parallel whose value arrives on a queue.
  ///
  /// ```swift
  /// page.receive(on: .main).run { show($0) }
  /// ```
  public func receive(on queue: DispatchQueue) -> Parallel {
    Parallel(starting: { receiver in
      start { value in
        let parcel = Parcel(value)
        queue.async { receiver.deliver(parcel.take()) }
      }
    })
  }

  /// A parallel whose value arrives on a task executor.
  public func receive(on executor: any TaskExecutor) -> Parallel {
    Parallel(starting: { receiver in
      start { value in
        let parcel = Parcel(value)
        Task(executorPreference: executor) { receiver.deliver(parcel.take()) }
      }
    })
  }

  /// A parallel whose work starts on a queue, whoever calls `run`.
  ///
  /// ```swift
  /// Parallel { callback in callback(slowlyComputed()) }.start(on: .global())
  /// ```
  public func start(on queue: DispatchQueue) -> Parallel {
    Parallel(starting: { receiver in queue.async { start(for: receiver) } })
  }

  /// A parallel whose work starts on a task executor, whoever calls `run`.
  public func start(on executor: any TaskExecutor) -> Parallel {
    Parallel(starting: { receiver in Task(executorPreference: executor) { start(for: receiver) } })
  }
}
