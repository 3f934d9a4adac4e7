/// The result of an asynchronous operation that may fail: a value of type `T`, or an error of type `E`.
///
/// A future is an ``Async`` of a `Result`, with the same guarantees. With the error type `Never` it cannot fail.
///
/// ```swift
/// session.dataFuture(with: url)
///   .map { data, _ in data }
///   .flatMap { data in Bird.decode(data) }
///   .onSuccess { birds in show(birds) }
///   .onFailure { error in report(error) }
/// ```
///
/// To create a future and complete it later, use a ``Promise``.
@dynamicMemberLookup
public class Future<T: Sendable, E: Error>: Async<Result<T, E>>, @unchecked Sendable {
  /// Creates a future that a scope completes.
  @preconcurrency
  public required init(_ scope: (@escaping @Sendable (Result<T, E>) -> Void) -> Void) {
    super.init(promised: ())
    let completer = Completer(self)
    scope { completer.complete($0) }
  }

  /// Creates a future that stays pending for ever.
  ///
  /// Callbacks that are registered on it are released at once. To complete a future later, use a ``Promise``.
  public convenience init() {
    self.init(promised: ())
    abandonNow()
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

  @inlinable
  override init(derived reaction: @escaping Reaction) {
    super.init(derived: reaction)
  }

  @inlinable
  override init(promised: Void) {
    super.init(promised: ())
  }

  final override var typeText: String { "a \(Future<T, E>.self)" }

  final override func completeAsCancelled() {
    if let error = cancellation(as: E.self) { tryComplete(.failure(error)) }
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
}
