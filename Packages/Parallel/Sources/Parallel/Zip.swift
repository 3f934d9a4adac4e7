/// Runs any number of parallels at the same time, and calls back with all their values, as a tuple in their order.
///
/// All of them are started, in order, on the thread that calls `run`. The callback runs on the thread where the last
/// value arrives. `zip` is associative up to reshaping the tuple.
///
/// ```swift
/// zip(name, picture).run { name, picture in show(name, picture) }
/// ```
///
/// Costs one allocation a run and two for each parallel, or none when every value is there already: an atomic
/// countdown, no lock, no group and no queue.
///
/// Source: the `zip` of *Async Functional Refactoring* and the episodes before it, for any number and any thread.
public func zip<each Value>(_ parallels: repeat Parallel<each Value>) -> Parallel<(repeat each Value)> {
  Parallel<(repeat each Value)>(starting: { receiver in
    if let values = readyValues(repeat each parallels) { return receiver.deliver(values) }
    let gathering = Gathering<repeat each Value>(for: receiver)
    var position: UInt32 = 0
    repeat (each parallels).start(for: gathering.slot(at: &position))
    gathering.arrive()
  })
}

/// Runs any number of parallels at the same time, and calls back with what a function makes of their values.
///
/// - Parameters:
///   - parallels: The parallels to run.
///   - combine: Called once in each run, with the values in the order of the parallels, on the thread where the last
///     value arrives.
///
/// ```swift
/// zip(width, height, with: *).run { area in print(area) }
/// ```
@preconcurrency
public func zip<each Value, Combined>(
  _ parallels: repeat Parallel<each Value>,
  with combine: @escaping @Sendable (repeat each Value) -> Combined
) -> Parallel<Combined> {
  let all: Parallel<(repeat each Value)> = zip(repeat each parallels)
  return Parallel<Combined>(starting: { receiver in
    all.start { values in
      receiver.deliver(Parcel(unchecked: combine(repeat each values)).take())
    }
  })
}

/// All values, when all of them are there without any work.
private func readyValues<each Value>(_ parallels: repeat Parallel<each Value>) -> sending (repeat each Value)? {
  func value<Element>(of parallel: Parallel<Element>) throws(NotReady) -> Element {
    guard let value = parallel.readyValue else { throw NotReady() }
    return value
  }
  let values = try? (repeat value(of: each parallels))
  return Parcel(unchecked: values).take()
}

private struct NotReady: Error {}
