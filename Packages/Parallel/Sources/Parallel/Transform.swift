public import Isolation

extension Parallel {
  /// Returns a parallel of the transformed value.
  ///
  /// ```swift
  /// Parallel(value: 20).map { $0 + 1 }.run { print($0) }  // 21
  /// ```
  ///
  /// - Parameter transform: A function that is called once in each run, on the actor where it was formed, or on the
  ///   thread where the value arrives. It must return a value that it does not keep, because that value may be sent to
  ///   another thread.
  @inlinable
  @preconcurrency
  public func map<NewValue>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (sending Value) -> NewValue
  ) -> Parallel<NewValue> {
    let raw = erasingIsolation(transferring: transform)
    guard let home = transform.isolation else {
      return Parallel<NewValue>(after: self) { next in
        start { next(raw(Parcel($0).take())) }
      }
    }
    return Parallel<NewValue>(after: self) { next in
      start { value in
        let parcel = Parcel(value)
        Isolation.run(on: home) { Trampoline.pass(raw(parcel.take()), to: next) }
      }
    }
  }

  /// Returns a parallel that runs a second parallel, which a function makes from this one's value.
  ///
  /// ```swift
  /// func picture(of bird: Bird) -> Parallel<Picture> { … }
  /// bird.flatMap(picture(of:)).run { show($0) }
  /// ```
  ///
  /// - Parameter transform: A function that is called once in each run, on the actor where it was formed, or on the
  ///   thread where the value arrives. The parallel that it returns starts there at once.
  @inlinable
  @preconcurrency
  public func flatMap<NewValue>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (sending Value) -> Parallel<NewValue>
  ) -> Parallel<NewValue> {
    let raw = erasingIsolation(transferring: transform)
    guard let home = transform.isolation else {
      return Parallel<NewValue>(after: self) { next in
        start { raw(Parcel($0).take()).startOnTrampoline(next) }
      }
    }
    return Parallel<NewValue>(after: self) { next in
      start { value in
        let parcel = Parcel(value)
        Isolation.run(on: home) { raw(parcel.take()).startOnTrampoline(next) }
      }
    }
  }

  /// Starts a run of a parallel that was made during a run, so that a recursion uses constant stack space.
  ///
  /// Each step of a recursion calls and retains the function of the step before. The link does both through the trampoline.
  @inlinable
  func startOnTrampoline(_ next: @escaping Receive) {
    if case .value(let value) = content { return Trampoline.pass(value, to: next) }
    let end = Link<Value>(next: next)
    let trampoline = Trampoline.current
    guard trampoline.hasRoom else { return trampoline.add { start { end.pass($0) } } }
    trampoline.enter()
    start { end.pass($0) }
    trampoline.leave()
  }
}
