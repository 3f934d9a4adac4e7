import Futures
import Testing

/// What is deprecated, seen through a protocol, so that using it is no warning.
private protocol OldSpellings {
  static func resolver(_ scope: (@escaping @Sendable (Result<Int, TestError>) -> Void) -> Void) -> Future<
    Int, TestError
  >
  static func completed(with other: Future<Int, TestError>) -> Future<Int, TestError>
}

private struct Old: OldSpellings {
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

@Suite("Old spellings still work:")
struct OldSpellingTests {
  private let old: any OldSpellings.Type = Old.self

  @Test("the label `resolver` of a future's scope")
  func resolver() {
    let future = old.resolver { complete in
      complete(.failure(.first))
      complete(.success(2))
    }
    #expect(future.error == .first)
  }

  @Test("`completeWith`")
  func completeWith() {
    #expect(old.completed(with: Future(value: 1)).value == 1)
  }
}
