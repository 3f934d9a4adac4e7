import Futures
import Testing

/// The deprecated names, called through a protocol to avoid deprecation warnings.
private protocol DeprecatedNames {
  static func resolver(_ scope: (@escaping @Sendable (Result<Int, TestError>) -> Void) -> Void) -> Future<
    Int, TestError
  >
  static func completed(with other: Future<Int, TestError>) -> Future<Int, TestError>
}

private struct Deprecated: DeprecatedNames {
  @available(*, deprecated)
  static func resolver(
    _ scope: (@escaping @Sendable (Result<Int, TestError>) -> Void) -> Void
  ) -> Future<Int, TestError> {
    Future(resolver: scope)
  }

  @available(*, deprecated)
  static func completed(with other: Future<Int, TestError>) -> Future<Int, TestError> {
    let promise = Promise<Int, TestError>()
    promise.completeWith(other)
    return promise.future
  }
}

@Suite("Deprecated names of Futures")
struct DeprecatedNameTests {
  private let deprecated: any DeprecatedNames.Type = Deprecated.self

  @Test("Future(resolver:) still creates a future from a scope")
  func resolver() {
    let future = deprecated.resolver { complete in
      complete(.failure(.first))
      complete(.success(2))
    }
    #expect(future.error == .first)
  }

  @Test("completeWith(_:) still completes a promise with another future")
  func completeWith() {
    #expect(deprecated.completed(with: Future(value: 1)).value == 1)
  }
}
