import Dispatch
import Futures
import OrderTaking
import OrderTakingTesting
import ParallelTesting
import TestSupport
import Testing

@Suite("An order taker") struct OrderTakerTests {
  typealias World = Experiment<Int, String>

  @Test("all PUTs of an intent have one key, and another intent has another key") func keys() {
    let experiment = World(
      putRequestResults: [.error(.status(500)), .declined("late"), .declined("late")])
    let taker = experiment.setup()
    taker.take(7)
    experiment.clock.advance(by: .milliseconds(1))
    taker.take(7)
    #expect(experiment.requests.map(\.key?.low) == [1, 1, 2])
  }

  @Test("a call with another body fails, and a call with the same body joins the operation") func otherBody() {
    let experiment = World(putRequestResults: [.none])
    let taker = experiment.setup()
    taker.take(7, body: [1])
    #expect(taker.take(7, body: [2]).error?.kind == .keyMismatch)
    #expect(taker.take(7, body: [1]).error == nil)
    #expect(experiment.count(of: .put) == 1)
  }

  @Test("two order names that look alike are distinguished by their bytes") func canonicallyEqualNames()
    throws
  {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    #expect(composed == decomposed)
    let experiment = Experiment<String, String>(
      putRequestResults: [.none, .none], orderDetailsResults: [.details("details")])
    let journal = Journal<String>.inMemory()
    let taker = experiment.setup(journal: journal)
    let (first, second) = (taker.take(composed), taker.take(decomposed))
    #expect(experiment.count(of: .put) == 2 && taker.ordersUnderWay.count == 2)
    experiment.pushClient.send(.accepted, for: composed)
    #expect(first.value?.details == "details" && second.result == nil)
    experiment.pushClient.send(.declined("late"), for: decomposed)
    #expect(second.error?.kind == .declined)
    #expect(journal.stored(composed)?.checkpoint == .ended(.accepted(hasDetails: true)))
    #expect(journal.stored(decomposed)?.checkpoint == .ended(.declined(reason: "late")))
  }

  @Test("many orders are taken concurrently, each with its own result") func many() {
    let experiment = World(putRequestResults: [], orderDetailsResults: (0..<50).map { _ in .details("details") })
    let taker = experiment.setup()
    let futures = (0..<100).map { taker.take($0) }
    #expect(taker.ordersUnderWay.sorted() == Array(0..<100))
    for order in 0..<100 { experiment.pushClient.send(order % 2 == 0 ? .accepted : .declined("odd"), for: order) }
    for (order, future) in futures.enumerated() {
      #expect(order % 2 == 0 ? future.value?.order == order : future.error?.reason == "odd")
    }
    #expect(taker.ordersUnderWay.isEmpty)
    #expect(experiment.clock.armedCount == 0)
  }

  @Test("a result is delivered on the main queue by default") func delivery() async {
    let put = Promise<TakingAnswer, HTTPError>()
    let taker = OrderTaker<Int, String>(
      httpClient: OrderHTTPClient(
        take: { _ in put.future }, takingOperationStatus: { _ in Future() },
        acceptedOrderDetails: { _ in Future(value: "details") }), journal: .inMemory())
    let key = mainKey
    let isMain = await withCheckedContinuation { continuation in
      taker.take(7).onComplete(immediateExecutionContext) { _ in
        continuation.resume(returning: DispatchQueue.getSpecific(key: key) != nil)
      }
      put.success(.accepted)
    }
    #expect(isMain)
  }

  @Test("a result is delivered in the context of the taker") func context() {
    let delivered = Locked<[@Sendable () -> Void]>([])
    let experiment = World(putRequestResults: [.declined("late")])
    let future = experiment.setup(deliveringOn: { work in delivered.withLock { $0.append(work) } }).take(7)
    #expect(!future.isCompleted)
    for work in delivered.withLock({ $0 }) { work() }
    #expect(future.error?.reason == "late")
  }

  @Test("a cancelled order ends as unknown, cancelled or accepted, according to its last response") func cancel() {
    let experiment = World(putRequestResults: [.none, .error(.notConnected), .accepted])
    let taker = experiment.setup()
    let futures = (1...3).map { taker.take($0) }
    for order in 1...3 { #expect(taker.cancel(order)) }
    #expect(futures[0].error?.kind == .unknown)
    #expect(futures[1].error?.kind == .cancelled)
    #expect(futures[2].value == AcceptedOrder(order: 3, details: nil))
    #expect(!taker.cancel(1))
    #expect(experiment.clock.armedCount == 0)
  }

  @Test("a 401 requests a fresh token, and then the PUT is sent again") func token() {
    let experiment = World(
      putRequestResults: [.error(.status(401)), .accepted], orderDetailsResults: [.details("details")])
    let taker = experiment.setup(policy: .standard)
    experiment.httpClient.refreshTokenClosure = { Future(value: ()) }
    #expect(taker.take(7).value?.details == "details")
    #expect(experiment.requests.first?.key == experiment.requests[1].key)
  }

  @Test(
    "after a refresh of the token without a response of the log-in service, the order is sent again",
    arguments: [HTTPError.timedOut, .notConnected, .status(503)])
  func tokenWithoutResponse(error: HTTPError) {
    let experiment = World(
      putRequestResults: [.error(.status(401)), .accepted], orderDetailsResults: [.details("details")])
    let taker = experiment.setup(policy: .standard)
    experiment.httpClient.refreshTokenClosure = { Future(error: error) }
    let future = taker.take(7)
    // The timer of the refresh is stopped: the pause and the deadline remain.
    #expect(future.result == nil && experiment.clock.armedCount == 2)
    experiment.clock.advance(by: .seconds(1))
    #expect(future.value?.details == "details")
  }

  @Test("the log has each step of an order with its time, until the operation ends") func progress() {
    let experiment = World(
      putRequestResults: [.none, .error(.status(500)), .accepted], orderDetailsResults: [.details("details")])
    let log = Locked<[TakingProgress<Int>]>([])
    let taker = experiment.setup(log: { entry in log.withLock { $0.append(entry) } })
    taker.take(6)
    taker.take(7)
    experiment.clock.advance(by: .milliseconds(5))
    let entries = log.withLock { $0 }.filter { $0.order == 7 && $0.at > .zero }
    #expect(entries.allSatisfy { $0.at == .milliseconds(1) })
    #expect(
      entries.map(\.step) == [
        .sent(TakingRequest(kind: .put, number: 3)), .noticed(.won(.accepted, by: .put)),
        .sent(TakingRequest(kind: .details, number: 4)), .ended(.accepted(hasDetails: true)),
      ])
  }

  @Test("an operation continues after the release of its taker, and its end ends the subscription to pushes")
  func lifetime() {
    let experiment = World(putRequestResults: [.none], orderDetailsResults: [.details("details")])
    let future = experiment.setup().take(7)
    #expect(experiment.pushClient.subscriberCount == 1)
    experiment.pushClient.send(.accepted, for: 7)
    #expect(future.value?.details == "details")
    #expect(experiment.pushClient.subscriberCount == 0)
  }

  @Test("cancelling the last future of an order ends its operation and its request") func futureCancelled() {
    let experiment = World(putRequestResults: [])
    let isEnded = Locked(false)
    let put = Promise<TakingAnswer, HTTPError>()
    put.onCancel { isEnded.withLock { $0 = true } }
    let taker = experiment.setup()
    experiment.httpClient.takeClosure = { _ in put.future }
    let futures = [taker.take(7), taker.take(7)]
    futures[0].cancel()
    #expect(futures[0].error == .cancellation)
    #expect(!futures[1].isCompleted && taker.ordersUnderWay == [7] && !isEnded.withLock { $0 })
    futures[1].cancel()
    #expect(taker.ordersUnderWay.isEmpty && isEnded.withLock { $0 })
  }

  @Test("a push cancels the request in flight") func needlessRequest() {
    let experiment = World(putRequestResults: [], orderDetailsResults: [.details("details")])
    let isEnded = Locked(false)
    let put = Promise<TakingAnswer, HTTPError>()
    put.onCancel { isEnded.withLock { $0 = true } }
    let taker = experiment.setup()
    experiment.httpClient.takeClosure = { _ in put.future }
    let future = taker.take(7)
    experiment.pushClient.send(.accepted, for: 7)
    #expect(isEnded.withLock { $0 } && future.value?.details == "details")
  }

  @Test("a pausing operation does not retain its completed request") func answeredRequest() {
    let experiment = World(putRequestResults: [])
    let promise = Locked<Promise<TakingAnswer, HTTPError>?>(Promise())
    let taker = experiment.setup()
    experiment.httpClient.takeClosure = { _ in promise.withLock { $0?.future } ?? Future() }
    taker.take(7)
    weak let request = promise.withLock { $0?.future }
    promise.withLock { $0 }?.success(.processing)
    promise.withLock { $0 = nil }
    #expect(request == nil && taker.ordersUnderWay == [7])
  }

  @Test("a taker does not retain a completed operation") func release() {
    let experiment = World(putRequestResults: [.error(.notConnected)])
    let taker = experiment.setup(policy: .standard)
    weak let future = taker.take(7)
    #expect(future != nil)
    taker.cancel(7)
    #expect(future == nil)
  }

  @Test(
    "the end of an operation stops all its timers",
    arguments: [TakingReply.accepted, .declined("late"), .error(.status(400))])
  func timersStopped(reply: TakingReply) {
    let experiment = World(
      putRequestResults: [.error(.status(401)), reply], orderDetailsResults: [.details("details")])
    let taker = experiment.setup(policy: .standard)
    let token = Promise<Void, HTTPError>()
    experiment.httpClient.refreshTokenClosure = { token.future }
    let future = taker.take(7)
    // The deadline, and the limit of the wait for a token.
    #expect(experiment.clock.armedCount == 2)
    token.success(())
    #expect(future.isCompleted && experiment.clock.armedCount == 0)
  }

  @Test("each step in the log has a level") func levels() {
    let log = Locked<[TakingProgress<Int>]>([])
    let experiment = World(
      putRequestResults: [.error(.status(500)), .processing], getRequestResults: [.accepted],
      orderDetailsResults: [.details("details")])
    let taker = experiment.setup(log: { entry in log.withLock { $0.append(entry) } })
    taker.take(7)
    experiment.pushClient.send(.accepted, for: 7, key: IdempotencyKey(high: 9, low: 9))
    experiment.clock.advance(by: .milliseconds(5))
    experiment.httpClient.takeClosure = nil
    taker.take(8)
    taker.cancel(8)
    let entries = log.withLock { $0 }
    func levels(_ order: Int) -> [TakingProgress<Int>.Level] { entries.filter { $0.order == order }.map(\.level) }
    #expect(
      levels(7) == [
        // PUT, its error, the pause, the push for another intent;
        .info, .warning, .debug, .debug,
        // PUT, processing, the delay; GET, accepted; details, the end.
        .info, .info, .debug, .info, .info, .info, .info,
      ])
    #expect(levels(8) == [.info, .error])
  }

  @Test("a replayed push of an earlier intent for the same order is ignored") func replayedPush() {
    let experiment = World(putRequestResults: [.declined("late"), .none])
    let taker = experiment.setup()
    let first = taker.take(7)
    #expect(first.error?.reason == "late")
    let second = taker.take(7)
    experiment.pushClient.send(.accepted, for: 7, key: experiment.requests[0].key, cursor: 1)
    #expect(!second.isCompleted)
    experiment.pushClient.send(.declined("gone"), for: 7, key: experiment.requests[1].key, cursor: 2)
    #expect(second.error?.reason == "gone")
  }

  @Test("cancelling one future does not end an operation whose other future was released") func forgotten() {
    let experiment = World(putRequestResults: [.none], orderDetailsResults: [.details("details")])
    let ends = Locked<[TakingProgress<Int>.Step]>([])
    let taker = experiment.setup(log: { progress in
      if case .ended = progress.step { ends.withLock { $0.append(progress.step) } }
    })
    taker.take(7)
    taker.take(7).cancel()
    #expect(taker.ordersUnderWay == [7])
    experiment.pushClient.send(.accepted, for: 7)
    #expect(ends.withLock { $0 } == [.ended(.accepted(hasDetails: true))])
  }

  @Test("many threads can use a taker concurrently") func threads() async {
    let experiment = World(putRequestResults: Array(repeating: .declined("late"), count: 4_000))
    let taker = experiment.setup()
    experiment.httpClient.acceptedOrderDetailsClosure = { _ in Future(value: "details") }
    await hammer(threads: 4) { thread, _ in
      for order in 0..<200 {
        taker.take(order)
        experiment.pushClient.send(thread % 2 == 0 ? .accepted : .declined("late"), for: order)
        taker.cancel((order + thread) % 200)
      }
    }
    #expect(taker.ordersUnderWay.isEmpty)
  }
}

@Suite("The failure of an outcome") struct OrderTakingFailureTests {
  @Test(
    "the failure of an unknown outcome has the outcome's cause",
    arguments: [TakingOutcome.UnknownCause.cancelled, .expired, .refused(status: 403), .journal, .fenced])
  func cause(_ cause: TakingOutcome.UnknownCause) {
    #expect(OrderTakingFailure(.unknown(cause))?.cause == cause)
    #expect(OrderTakingFailure(.expired)?.cause == nil && OrderTakingFailure.cancellation.cause == nil)
  }
}

@Suite("An order taker in a task") struct OrderTakerAsyncTests {
  typealias World = Experiment<Int, String>

  @Test("acceptance(of:) returns the accepted order or throws the failure") func waits() async throws {
    let experiment = World(
      putRequestResults: [.accepted, .declined("late")], orderDetailsResults: [.details("details")])
    let taker = experiment.setup()
    let accepted = try await taker.acceptance(of: 7)
    #expect(accepted.details == "details")
    await #expect(throws: OrderTakingFailure(.declined, reason: "late")) { try await taker.acceptance(of: 8) }
  }

  @Test("cancelling the only waiting task ends the operation") func cancelled() async {
    let experiment = World(putRequestResults: [.none])
    let taker = experiment.setup()
    let asked = Log<Int>()
    experiment.httpClient.takeClosure = { intent in
      asked.append(intent.order)
      return Future()
    }
    let task = Task { try await taker.acceptance(of: 7) }
    #expect(await asked.first(1) == [7])
    task.cancel()
    await #expect(throws: OrderTakingFailure.self) { try await task.value }
    #expect(taker.ordersUnderWay.isEmpty)
  }

  @Test("cancelling a task does not end an operation with another future") func joined() async throws {
    let experiment = World(putRequestResults: [.none], orderDetailsResults: [.details("details")])
    let taker = experiment.setup()
    let future = taker.take(7)
    let task = Task { try await taker.acceptance(of: 7) }
    task.cancel()
    let failure = await #expect(throws: OrderTakingFailure.self) { try await task.value }
    #expect(failure?.kind == .unknown)
    #expect(taker.ordersUnderWay == [7])
    experiment.pushClient.send(.accepted, for: 7)
    #expect(future.value?.details == "details")
  }
}

private let mainKey: DispatchSpecificKey<Bool> = {
  let key = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: key, value: true)
  return key
}()
