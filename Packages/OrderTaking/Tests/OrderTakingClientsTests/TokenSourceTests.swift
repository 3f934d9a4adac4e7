import Foundation
import Futures
import FuturesNetworking
import OrderTaking
import ParallelTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@testable import OrderTakingClients

@Suite("Token source") struct TokenSourceTests {
  /// A source whose refreshes are completed by hand.
  private func source(
    _ token: String?, within limit: Duration = .seconds(10), on clock: ManualClock = ManualClock()
  ) -> (TokenSource, refreshes: Locked<[Promise<String, HTTPError>]>) {
    let refreshes = Locked<[Promise<String, HTTPError>]>([])
    let source = TokenSource(token, within: limit, on: clock) {
      let promise = Promise<String, HTTPError>()
      refreshes.withLock { $0.append(promise) }
      return promise.future
    }
    return (source, refreshes)
  }

  @Test("concurrent callers share one refresh, and a failed refresh keeps the token") func renewing() {
    let (source, refreshes) = source("old")
    let first = source.renew(insteadOf: "old")
    let second = source.renew(insteadOf: "old")
    first.cancel()
    refreshes.withLock { $0 }[0].success("new")
    #expect(second.isSuccess && source.current == "new")
    #expect(refreshes.withLock { $0.count } == 1)
    let third = source.renew(insteadOf: "new")
    refreshes.withLock { $0 }[1].failure(.status(500))
    #expect(third.error == .status(500) && source.current == "new")
    // The token is still refused, so the next call starts another refresh.
    #expect(source.renew(insteadOf: "new").result == nil)
    #expect(refreshes.withLock { $0.count } == 3)
  }

  @Test("a refresh that all callers have left is cancelled, and does not block the next one") func abandoned() {
    let (source, refreshes) = source("old")
    let callers = [source.renew(insteadOf: "old"), source.renew(insteadOf: "old")]
    for caller in callers { caller.cancel() }
    #expect(refreshes.withLock { $0 }[0].future.error == .cancellation)
    let next = source.renew(insteadOf: "old")
    #expect(refreshes.withLock { $0.count } == 2)
    refreshes.withLock { $0 }[1].success("new")
    #expect(next.isSuccess && source.current == "new")
  }

  @Test("a refresh that never ends is cancelled at its time limit, although callers wait, and the next one starts")
  func withoutEnd() async throws {
    let clock = ManualClock()
    let (source, refreshes) = source("old", within: .seconds(7), on: clock)
    let first = source.renew(insteadOf: "old")
    try await clock.nextSleep()
    clock.advance(by: .seconds(4))
    let second = source.renew(insteadOf: "old")
    first.cancel()
    clock.advance(by: .seconds(2))
    #expect(second.result == nil && refreshes.withLock { $0.count } == 1)
    clock.advance(by: .seconds(1))
    await #expect(throws: HTTPError.timedOut) { try await second.get() }
    #expect(refreshes.withLock { $0 }[0].future.error == .cancellation)
    let third = source.renew(insteadOf: "old")
    #expect(refreshes.withLock { $0.count } == 2)
    refreshes.withLock { $0 }[1].success("new")
    #expect(third.isSuccess && source.current == "new")
  }

  @Test("a refused token that was replaced already starts no refresh") func newerAlready() {
    let (source, refreshes) = source("old")
    let first = source.renew(insteadOf: "old")
    refreshes.withLock { $0 }[0].success("new")
    #expect(first.isSuccess)
    #expect(source.renew(insteadOf: "old").isSuccess && source.renew(insteadOf: nil).isSuccess)
    #expect(refreshes.withLock { $0.count } == 1 && source.current == "new")
  }

  @Test("a source without a token requests a first one") func first() {
    let (source, refreshes) = source(nil)
    let future = source.renew(insteadOf: nil)
    refreshes.withLock { $0 }[0].success("new")
    #expect(future.isSuccess && source.current == "new")
  }
}
