import BrightFuturesCompatibility
import Dispatch
import TestSupport
import Testing

/// The operations with another default context than in Futures.
///
/// They run on the main actor, where the difference shows.
@Suite("Contexts as in BrightFutures") @MainActor
struct SemanticsTests {
  private nonisolated static func isOnMain<Value>(_ value: Value) -> Bool { MarkedQueue.main.isCurrent }

  @Test("the operator ?? evaluates its right side in the default context")
  func coalesce() async {
    let failed = Future<Bool, Trouble>(error: .first)
    let value = failed ?? Self.isOnMain(0)
    let other = failed ?? Future<Bool, Never>(value: Self.isOnMain(0))
    #expect(!value.isCompleted && !other.isCompleted)
    #expect(await value.get())
    #expect(await other.get())
  }

  @Test("filter checks a nonisolated condition before it returns, and another one on its actor")
  func filter() async throws {
    let isEven: @Sendable (Int) -> Bool = { $0 % 2 == 0 }
    #expect(Future<Int, Trouble>(value: 2).filter(isEven).value == 2)
    let promise = Promise<Int, Trouble>()
    let filtered = promise.future.filter { $0 == self.checkedTwo() }
    await onThread { promise.success(2) }
    #expect(try await filtered.get() == 2)
  }

  private let two = 2

  private func checkedTwo() -> Int {
    MainActor.assertIsolated()
    return two
  }

  @Test("fold and find without a context run on a global queue, also from the main actor")
  func foldAndFind() async throws {
    let futures = [Future<Int, Trouble>(value: 1)]
    #expect(try await futures.fold(true) { $0 && Self.isOnMain($1) }.get() == false)
    #expect(try await futures.find { !Self.isOnMain($0) }.get() == 1)
  }

  @Test("traverse calls its function before it returns")
  func traverse() {
    #expect([1, 2].traverse { Future<Int, Trouble>(value: $0) }.value == [1, 2])
    #expect([1, 2].traverse({ _ in }) { Future<Int, Trouble>(value: $0) }.value == [1, 2])
  }

  @Test("a delay that begins on the main queue completes there")
  func delayOnMain() async {
    let delayed = Future<Int, Never>(value: 1).delay(.milliseconds(0))
    #expect(!delayed.isCompleted)
    #expect(await delayed.map(now) { Self.isOnMain($0) }.get())
  }
}
