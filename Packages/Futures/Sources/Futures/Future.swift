internal import Isolation

/// The result of an asynchronous operation that may fail: a value of type `T`, or an error of type `E`.
///
/// A future is an ``Async`` of a `Result`, with the same guarantees. With the error type `Never` it cannot fail.
///
/// ```swift
/// session.dataFuture(with: url)
///   .map { data, _ in data }
///   .flatMapResult { data in Bird.decode(data) }
///   .onSuccess { birds in show(birds) }
///   .onFailure { error in report(error) }
/// ```
///
/// To create a future and complete it later, use a ``Promise``.
public class Future<T: Sendable, E: Error>: Async<Result<T, E>>, @unchecked Sendable {
  /// Creates a future that a scope completes.
  @preconcurrency
  public required init(_ scope: (@escaping @Sendable (Result<T, E>) -> Void) -> Void) {
    super.init(completers: 1)
    let completer = Completer(self)
    scope { completer.complete($0) }
  }

  /// Creates a future that stays pending for ever.
  ///
  /// Callbacks that are registered on it are released at once. To complete a future later, use a ``Promise``.
  public convenience init() {
    self.init(completers: 1)
    completerHasEnded(nil)
  }

  @inlinable
  @_disfavoredOverload  // for a trailing closure, which is a scope or work
  public override init(result: Result<T, E>) {
    super.init(result: result)
  }

  /// A trailing closure is not the value: it is a scope, or work.
  ///
  /// See <doc:WhichWhen>.
  @inlinable
  @_disfavoredOverload  // for a trailing closure, which is a scope or work
  public convenience init(value: T) {
    self.init(result: .success(value))
  }

  @inlinable
  @_disfavoredOverload  // for a trailing closure, which is a scope or work
  public convenience init(error: E) {
    self.init(result: .failure(error))
  }

  @usableFromInline
  override init(completers: Int32, stopsSources: Bool = true) {
    super.init(completers: completers, stopsSources: stopsSources)
  }

  /// Creates a future that waits for several others.
  ///
  /// - Parameters:
  ///   - stopsSources: Whether the others are stopped when this future is completed without them.
  ///   - link: A function that links the others to its argument. The future is not abandoned before it returns.
  convenience init(stopsSources: Bool, link: (Future<T, E>) -> Void) {
    self.init(completers: 1, stopsSources: stopsSources)
    link(self)
    completerHasEnded(nil)
  }

  final override func completeAsCancelled() -> Bool {
    guard let error = cancellation(as: E.self) else { return false }
    tryComplete(.failure(error))
    return true
  }

  public final override var description: String {
    let state =
      switch result {
      case .success(let value)?: "success: \(value)"
      case .failure(let error)?: "failure: \(error)"
      case nil: "pending"
      }
    return "Future<\(T.self), \(E.self)>(\(state))"
  }
}

extension Future {
  @inlinable public var value: T? {
    if case .success(let value) = result { value } else { nil }
  }

  @inlinable public var error: E? {
    if case .failure(let error) = result { error } else { nil }
  }

  @inlinable public var isSuccess: Bool { value != nil }

  @inlinable public var isFailure: Bool { error != nil }

  /// Creates a future with the result of another asynchronous operation.
  ///
  /// Cancelling the new future also stops the work of the other operation, if that is an ``Async`` or a ``Future``
  /// without another listener.
  public convenience init<Other: AsyncType>(other: Other) where Other.Value == Result<T, E> {
    self.init(completers: 0)
    follow(any: other)
  }

  /// Starts asynchronous work in a task, on the actor where it was created, and creates a future of its outcome.
  ///
  /// The task is cancelled when the future is cancelled or its last listener leaves.
  ///
  /// ```swift
  /// Future { try await session.download(picture) }.onSuccess { show($0) }
  /// ```
  ///
  /// A closure with `try` makes the error type `any Error`, unless it names the type that it throws. A closure without
  /// `try` can have any error type, and has `Never` if nothing else decides. <doc:WhichWhen> lists the forms that need
  /// a type inside of `flatMap`.
  @preconcurrency
  public convenience init(
    @_inheritActorContext _ work: @escaping @Sendable @isolated(any) () async throws(E) -> T
  ) {
    self.init(completers: 1)
    let completer = Completer(self)
    let task = Task {
      do throws(E) {
        completer.complete(.success(try await work()))
      } catch {
        completer.complete(.failure(error))
      }
    }
    addHandler { task.cancel() }
  }
}

extension Result {
  public var value: Success? {
    if case .success(let value) = self { value } else { nil }
  }

  public var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
