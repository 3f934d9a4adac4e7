public import Isolation

extension Parallel {
  /// Returns a parallel of the transformed value.
  ///
  /// ```swift
  /// Parallel(value: 20).map { $0 + 1 }.run { print($0) }  // 21
  /// ```
  ///
  /// - Parameter transform: A function that is called once in each run, on the actor where it was created, or on the
  ///   thread where the value arrives. It must return a value that it does not keep, because that value may be sent to
  ///   another thread.
  @inlinable
  @preconcurrency
  public func map<NewValue>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (consuming sending Value) -> NewValue
  ) -> Parallel<NewValue> {
    let raw = erasingIsolation(transferring: transform)
    guard let home = transform.isolation else {
      // Each case captures only what it needs: a closure calls a captured function without reference counting.
      switch content {
      case .value: return Parallel<NewValue>(after: self) { next in start { next(raw($0)) } }
      case .work(let work): return Parallel<NewValue>(after: self) { next in work { next(raw($0)) } }
      case .uncheckedWork(let work, let origin):
        return Parallel<NewValue>(after: self) { next in
          let once = OnceTransform(raw, next, origin)
          work { once.pass($0) }
        }
      }
    }
    return Parallel<NewValue>(after: self) { next in
      start { (value: sending Value) in
        let parcel = Parcel(value)
        Isolation.run(on: home) { Parallel<NewValue>.pass(raw(parcel.take()), to: next) }
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
  /// - Parameter transform: A function that is called once in each run, on the actor where it was created, or on the
  ///   thread where the value arrives. The parallel that it returns starts there at once.
  @inlinable
  @preconcurrency
  public func flatMap<NewValue>(
    @_inheritActorContext _ transform:
      @escaping @Sendable @isolated(any) (consuming sending Value) -> Parallel<NewValue>
  ) -> Parallel<NewValue> {
    let raw = erasingIsolation(transferring: transform)
    let work = FlatMapWork(self, raw, on: transform.isolation)
    return Parallel<NewValue>(depth: depth + 1, mayRecur: true) { work.start($0) }
  }

  /// Starts a run of a parallel that was made during a run, so that a recursion uses constant stack space.
  @inlinable
  func startOnTrampoline(_ next: @escaping Callback) {
    Trampoline.call {
      start(next)
    } orLater: {
      { start(next) }
    }
  }
}

/// The work of a `flatMap`.
///
/// A transform can retain another parallel, and so on, in a long chain. This object releases it through the trampoline.
/// A closure that captures only this object uses it as its context, so it costs no further allocation.
///
/// `@unchecked Sendable`: only the deinitialiser changes `transform`.
@usableFromInline
final class FlatMapWork<Value, NewValue>: @unchecked Sendable {
  @usableFromInline typealias Transform = @Sendable (consuming sending Value) -> Parallel<NewValue>

  @usableFromInline let upstream: Parallel<Value>
  @usableFromInline let home: (any Actor)?
  @usableFromInline @exclusivity(unchecked) var transform: Transform?

  @inlinable
  init(_ upstream: Parallel<Value>, _ transform: @escaping Transform, on home: (any Actor)?) {
    (self.upstream, self.transform, self.home) = (upstream, transform, home)
  }

  @inlinable
  deinit {
    Trampoline.call {
      transform = nil
    } orLater: {
      let last = transform
      return { _ = last }
    }
  }

  @inlinable
  func start(_ next: @escaping Parallel<NewValue>.Callback) {
    guard let transform else { return }
    let continuation = Continuation(transform, next)
    guard let home else { return upstream.start { (value: sending Value) in continuation.run(with: value) } }
    upstream.start { (value: sending Value) in
      let parcel = Parcel(value)
      Isolation.run(on: home) { continuation.run(with: parcel.take()) }
    }
  }
}

/// The rest of a run after the value of a `flatMap` has arrived.
///
/// In a recursion, each step can retain the rest of the step before. This object releases it through the trampoline.
///
/// `@unchecked Sendable`: only the deinitialiser changes `next`.
@usableFromInline
final class Continuation<Value, NewValue>: @unchecked Sendable {
  @usableFromInline let transform: @Sendable (consuming sending Value) -> Parallel<NewValue>
  @usableFromInline @exclusivity(unchecked) var next: Parallel<NewValue>.Callback?

  @inlinable
  init(
    _ transform: @escaping @Sendable (consuming sending Value) -> Parallel<NewValue>,
    _ next: @escaping Parallel<NewValue>.Callback
  ) {
    self.transform = transform
    self.next = next
  }

  @inlinable
  deinit {
    Parallel<NewValue>.release(&next)
  }

  @inlinable
  func run(with value: sending Value) {
    if let next { transform(value).startOnTrampoline(next) }
  }
}
