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

  @Test("a token is renewed once for all operations with refused requests")
  func manyOperations()
    throws
  {
    let (source, refreshes) = source("old")
    typealias Answer = @Sendable (_ status: Int, _ body: String) -> Void
    let answers = Locked<[(token: String?, Answer)]>([])
    let client = HTTPClient { request, _, receive in
      let promise = Promise<HTTPResponseHead, NetworkError>()
      let answer: Answer = { status, body in
        receive(Data(body.utf8))
        promise.success(HTTPResponseHead(url: URL(fileURLWithPath: "/"), statusCode: status))
      }
      answers.withLock { $0.append((request.value(forHTTPHeaderField: "Authorization"), answer)) }
      return promise.future
    }
    let taker = OrderTaker<Int, String>(
      httpClient: .live(at: try #require(URL(string: "http://x")), over: client, token: source) { _ in "details" },
      journal: .inMemory(),
      timers: Timers(schedule: { _, _ in {} }, now: { Moment(sinceEpoch: .zero, sinceBoot: .zero) }),
      deliveringOn: immediateExecutionContext)
    let orders = (0..<50).map { taker.take($0) }
    #expect(answers.withLock { $0.map(\.token) } == Array(repeating: "Bearer old", count: 50))

    func answer(_ index: Int, _ status: Int, _ body: String = "") {
      answers.withLock { $0 }[index].1(status, body)
    }
    // Half of the refusals arrive before the fresh token, and half after it.
    for index in 0..<25 { answer(index, 401) }
    #expect(answers.withLock { $0.count } == 50)
    refreshes.withLock { $0 }[0].success("new")
    for index in 25..<50 { answer(index, 401) }
    #expect(refreshes.withLock { $0.count } == 1)
    #expect(answers.withLock { $0[50...].map(\.token) } == Array(repeating: "Bearer new", count: 50))

    for index in 50..<100 { answer(index, 200, #"{"result":"accepted"}"#) }
    for index in 100..<150 { answer(index, 200) }
    #expect(orders.allSatisfy { $0.value?.details == "details" })
    // An operation whose fresh token is refused too is rejected.
    let last = taker.take(50)
    answer(150, 401)
    refreshes.withLock { $0 }[1].success("newer")
    answer(151, 401)
    #expect(last.error?.kind == .rejected && last.error?.status == 401 && refreshes.withLock { $0.count } == 2)
  }
}
