internal import Isolation

extension Parallel {
  /// A parallel of the transformed value.
  ///
  /// - Parameter transform: Called once in each run with the value, on the actor that it was formed on; when it was
  ///   formed on none, on the thread where this value arrives. It returns a value that nobody else holds, since that
  ///   value may go to another thread.
  ///
  /// ```swift
  /// Parallel(value: 20).map { $0 + 1 }.run { print($0) }  // 21
  /// ```
  @preconcurrency
  public func map<NewValue>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (sending Value) -> NewValue
  ) -> Parallel<NewValue> {
    let home = transform.isolation
    let raw = erasingIsolation(transferring: transform)
    return Parallel<NewValue>(starting: { next in
      start(for: receiver(on: home) { next.deliver(Parcel(unchecked: raw($0)).take()) })
    })
  }

  /// A parallel that runs a second one, made from this one's value, after this one.
  ///
  /// - Parameter transform: Called once in each run with the value, on the actor that it was formed on; when it was
  ///   formed on none, on the thread where this value arrives. What it returns is started at once, there.
  ///
  /// ```swift
  /// func picture(of bird: Bird) -> Parallel<Picture> { … }
  /// bird.flatMap(picture(of:)).run { show($0) }
  /// ```
  @preconcurrency
  public func flatMap<NewValue>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (sending Value) -> Parallel<NewValue>
  ) -> Parallel<NewValue> {
    let home = transform.isolation
    let raw = erasingIsolation(transferring: transform)
    return Parallel<NewValue>(starting: { next in
      start(for: receiver(on: home) { raw($0).start(for: next) })
    })
  }
}

/// A receiver for a closure that belongs on `home`, or anywhere when that is `nil`.
private func receiver<Value>(
  on home: (any Actor)?,
  _ closure: @escaping @Sendable (sending Value) -> Void
) -> Receiver<Value> {
  if let home { IsolatedReceiver(on: home, closure) } else { ClosureReceiver(closure) }
}
