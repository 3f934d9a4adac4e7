/// Runs parallels at the same time, and calls back with all their values as a tuple in their order.
///
/// ```swift
/// zip(name, picture).run { name, picture in show(name, picture) }
/// ```
///
/// The parallels start in order, on the thread that calls `run`. The callback runs on the thread where the last value
/// arrives. `zip` is associative except for the shape of the tuple.
@inlinable
public func zip<each Value>(_ parallels: repeat Parallel<each Value>) -> Parallel<(repeat each Value)> {
  var (depth, mayRecur) = (0, false)
  for upstream in repeat (each parallels).depth { depth = max(depth, upstream + 1) }
  for upstream in repeat (each parallels).mayRecur { mayRecur = mayRecur || upstream }
  return CallbackBox<(repeat each Value)>.parallel(depth: depth, linksEnd: mayRecur) { end in
    if let values = availableValues(repeat each parallels) { return end.deliver(values) }
    let gathering = Gathering<repeat each Value>(for: end)
    repeat (each parallels).start(filling: each gathering.slots, of: gathering)
  }
}

/// Runs parallels at the same time, and calls back with the value that a function makes from all their values.
///
/// ```swift
/// zip(width, height, with: *).run { area in print(area) }
/// ```
@inlinable
@preconcurrency
public func zip<each Value, Combined>(
  _ parallels: repeat Parallel<each Value>,
  with combine: @escaping @Sendable (repeat each Value) -> Combined
) -> Parallel<Combined> {
  let all: Parallel<(repeat each Value)> = zip(repeat each parallels)
  return Parallel<Combined>(after: all) { next in
    all.start { values in next(Parcel(combine(repeat each values)).take()) }
  }
}

@inlinable
func availableValues<each Value>(_ parallels: repeat Parallel<each Value>) -> (repeat each Value)? {
  func value<Element>(of parallel: Parallel<Element>) throws(NotAvailable) -> Element {
    guard case .value(let value) = parallel.content else { throw NotAvailable() }
    return value
  }
  return try? (repeat value(of: each parallels))
}

@usableFromInline
struct NotAvailable: Error {
  @inlinable
  init() {}
}

/// Runs two parallels at the same time, and calls back with both values.
///
/// Like `zip` of any number of parallels.
@inlinable
public func zip<First, Second>(
  _ first: Parallel<First>, _ second: Parallel<Second>
) -> Parallel<(First, Second)> {
  zip(first, second) { ($0, $1) }
}

/// Runs two parallels at the same time, and calls back with the value that a function makes from both values.
///
/// Like `zip` of any number of parallels.
@inlinable
@preconcurrency
public func zip<First, Second, Combined>(
  _ first: Parallel<First>, _ second: Parallel<Second>,
  with combine: @escaping @Sendable (First, Second) -> Combined
) -> Parallel<Combined> {
  // This function is separate, because types with a parameter pack look up their metadata in each run.
  return Parallel<Combined>(
    depth: max(first.depth, second.depth) + 1, linksEnd: first.mayRecur || second.mayRecur
  ) { next in
    let pair = Pair<First?, Second?, PairEnd<First, Second, Combined>>(for: PairEnd(combine, next))
    first.start { (value: sending First) in
      pair.first = value
      pair.completeIfLast()
    }
    second.start { (value: sending Second) in
      pair.second = value
      pair.completeIfLast()
    }
  }
}
