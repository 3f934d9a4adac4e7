// The operations that run in other contexts than in Futures. Each hides the operation of Futures in a file that imports only this module.
// In a file that also imports Futures, `@_disfavoredOverload` selects that of Futures. Otherwise the compiler would report an ambiguity.

public import Dispatch
internal import Isolation

/// Evaluates the value in `defaultContext()`.
@_disfavoredOverload
public func ?? <T, E>(
  future: Future<T, E>, value: @autoclosure @escaping @Sendable () -> T
) -> Future<T, Never> {
  future.recover(defaultContext()) { _ in value() }
}

/// Evaluates the other future in `defaultContext()`.
@_disfavoredOverload
public func ?? <T, E, NewError>(
  future: Future<T, E>, other: @autoclosure @escaping @Sendable () -> Future<T, NewError>
) -> Future<T, NewError> {
  future.recoverWith(defaultContext()) { _ in other() }
}

extension Future {
  /// Checks the condition on the actor where it was created, or in the immediate context.
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

  /// Checks the condition on a global queue.
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
