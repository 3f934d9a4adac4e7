// Operations that run in other contexts than those of Futures. Each has the signature of an operation of Futures, and
// so hides it in a file that imports only this module. A file that also imports Futures gets the operation of Futures:
// `@_disfavoredOverload` makes that choice where otherwise the compiler would find both, and report an ambiguity.

public import Dispatch
internal import Isolation

/// Returns the future with an error replaced by a value, which is evaluated in `defaultContext()`.
@_disfavoredOverload
public func ?? <T, E>(
  future: Future<T, E>, value: @autoclosure @escaping @Sendable () -> T
) -> Future<T, Never> {
  future.recover(defaultContext()) { _ in value() }
}

/// Returns a future that continues after an error with another one, which is evaluated in `defaultContext()`.
@_disfavoredOverload
public func ?? <T, E, NewError>(
  future: Future<T, E>, other: @autoclosure @escaping @Sendable () -> Future<T, NewError>
) -> Future<T, NewError> {
  future.recoverWith(defaultContext()) { _ in other() }
}

extension Future {
  /// Returns a future that also fails if the value does not satisfy a condition.
  ///
  /// The condition is checked on the actor that it was created on, or in the immediate context.
  @_disfavoredOverload
  @preconcurrency
  public func filter(
    @_inheritActorContext _ condition: @escaping @Sendable @isolated(any) (T) -> Bool
  ) -> Future<T, FuturesError<E>> {
    let isolation = condition.isolation
    return filter({ run(on: isolation, $0) }, condition: erasingIsolation(condition))
  }
}

extension Sequence {
  /// Combines the values of the futures in order, on a global queue.
  @_disfavoredOverload
  @preconcurrency
  public func fold<T, E, Combined>(
    _ zero: Combined, f: @escaping @Sendable (Combined, T) -> Combined
  ) -> Future<Combined, E> where Element == Future<T, E> {
    fold(DispatchQueue.global().context, zero: zero, f: f)
  }

  /// Returns a future of the first value in order that satisfies a condition, which is checked on a global queue.
  @_disfavoredOverload
  @preconcurrency
  public func find<T, E>(_ p: @escaping @Sendable (T) -> Bool) -> Future<T, FuturesError<E>>
  where Element == Future<T, E> {
    find(DispatchQueue.global().context, p: p)
  }

  @_disfavoredOverload
  @preconcurrency
  public func traverse<U, E>(
    _ context: @escaping ExecutionContext = DispatchQueue.global().context,
    f: @escaping @Sendable (Element) -> Future<U, E>
  ) -> Future<[U], E> where Element: Sendable {
    map(f).sequence()
  }
}
