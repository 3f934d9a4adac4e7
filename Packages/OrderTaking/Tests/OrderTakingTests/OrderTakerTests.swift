import Dispatch
import Futures
import OrderTaking
import OrderTakingTesting
import ParallelTesting
import TestSupport
import Testing

@Suite("An order taker") struct OrderTakerTests {
  typealias World = Experiment<String>

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

  /// A taker with a record of a body, whose journal has not been read.
  private func unread(_ record: TakingRecord?) -> (Experiment<String>, OrderTaker<String>, read: () -> Void) {
    let experiment = World(putRequestResults: [.none])
    let journal = Journal.inMemory()
    if let record { journal.store(record) }
    let read = Promise<TakingRecord?, JournalError>()
    var slow = journal
    slow.record = { read.future.isCompleted ? journal.record($0) : read.future }
    return (experiment, experiment.setup(journal: slow), { read.success(record) })
  }

  @Test("a call that joins an operation before its record is read must have the body of the record")
  func otherBodyBeforeRead() {
    let intent = TakingIntent(order: 7, key: IdempotencyKey(high: 0, low: 9), body: [1])
    let (experiment, taker, read) = unread(TakingRecord(intent: intent, begunAt: .zero))
    let reconciled = taker.reconcile(7)
    let (same, other) = (taker.take(7, body: [1]), taker.take(7, body: [2]))
    read()
    #expect(other.error?.kind == .keyMismatch)
    #expect(!reconciled.isCompleted && !same.isCompleted && experiment.requests.map(\.kind) == [.get])
  }

  @Test("a wrong body fails only its own call") func wrongBodyBeforeRead() {
    let intent = TakingIntent(order: 7, key: IdempotencyKey(high: 0, low: 9), body: [1])
    let (experiment, taker, read) = unread(TakingRecord(intent: intent, begunAt: .zero))
    let (other, reconciled) = (taker.take(7, body: [2]), taker.reconcile(7))
    read()
    #expect(other.error?.kind == .keyMismatch)
    #expect(!reconciled.isCompleted && experiment.requests.map(\.kind) == [.get])
  }

  @Test("a call that takes an order without a record takes it, also behind one that reconciles it")
  func takeBehindReconcile() {
    let (experiment, taker, read) = unread(nil)
    let (reconciled, taken, cancelled) = (taker.reconcile(7), taker.take(7), taker.take(7, body: [2]))
    cancelled.cancel()
    read()
    #expect(reconciled.error?.kind == .journal)
    #expect(!taken.isCompleted && experiment.requests.map(\.kind) == [.put])
  }

  @Test("a caller that cancels before the record is read ends only an operation that no other caller joins")
  func cancelledBeforeRead() {
    let intent = TakingIntent(order: 7, key: IdempotencyKey(high: 0, low: 9), body: [1])
    let joined = unread(TakingRecord(intent: intent, begunAt: .zero))
    let (reconciled, taken) = (joined.1.reconcile(7), joined.1.take(7, body: [1]))
    reconciled.cancel()
    joined.read()
    #expect(!taken.isCompleted && joined.1.ordersUnderWay == [7])

    let (experiment, taker, read) = unread(nil)
    let (cancelled, other) = (taker.take(7, body: [1]), taker.take(7, body: [2]))
    cancelled.cancel()
    read()
    #expect(other.error?.kind == .keyMismatch && taker.ordersUnderWay.isEmpty && experiment.requests.isEmpty)
  }

  @Test("two order names that look alike are distinguished by their bytes") func canonicallyEqualNames()
    throws
  {
    let (composed, decomposed): (OrderID, OrderID) = ("caf\u{E9}", "cafe\u{301}")
    #expect(composed.text == decomposed.text)
    let experiment = Experiment<String>(
      putRequestResults: [.none, .none], orderDetailsResults: [.details("details")])
    let journal = Journal.inMemory()
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

  @Test("a result is delivered on the main queue by default") func delivery() async {
    let put = Promise<TakingAnswer, HTTPError>()
    let taker = OrderTaker<String>(
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

  @Test("a cancelled order ends as unknown, cancelled or accepted, according to its last response") func cancel() {
    let experiment = World(putRequestResults: [.none, .error(.notConnected), .accepted])
    let taker = experiment.setup()
    let futures = (1...3).map { taker.take(Name($0)) }
    for order in 1...3 { #expect(taker.cancel(Name(order))) }
    #expect(futures[0].error?.kind == .unknown)
    #expect(futures[1].error?.kind == .cancelled)
    #expect(futures[2].value == AcceptedOrder(order: 3, details: nil))
    #expect(!taker.cancel(1))
    #expect(experiment.clock.armedCount == 0)
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

  @Test("many threads can use a taker concurrently") func threads() async {
    let experiment = World(putRequestResults: Array(repeating: .declined("late"), count: 4_000))
    let taker = experiment.setup()
    experiment.httpClient.acceptedOrderDetailsClosure = { _ in Future(value: "details") }
    await hammer(threads: 4) { thread, _ in
      for order in 0..<200 as Range<Int> {
        let (order, other) = (Name(order), Name((order + thread) % 200))
        taker.take(order)
        experiment.pushClient.send(thread % 2 == 0 ? .accepted : .declined("late"), for: order)
        taker.cancel(other)
      }
    }
    #expect(taker.ordersUnderWay.isEmpty)
  }
}

@Suite("The failure of an order") struct OrderTakingFailureTests {
  @Test(
    "each outcome except an acceptance has a failure with data and a reason that says what to do",
    arguments: [
      (TakingOutcome.rejected(status: 403), OrderTakingFailure.Kind.rejected, 403 as Int?),
      (.cancelled, .cancelled, nil),
      (.expired, .expired, nil), (.redirected(to: "b"), .redirected, nil), (.keyMismatch, .keyMismatch, nil),
      (.keyExpired, .keyExpired, nil), (.unrecorded, .journal, nil), (.unknown(.cancelled), .unknown, nil),
      (.unknown(.refused(status: 404)), .unknown, 404), (.unknown(.journal), .unknown, nil),
      (.unknown(.fenced), .unknown, nil),
    ])
  func outcome(_ outcome: TakingOutcome, kind: OrderTakingFailure.Kind, status: Int?) {
    let failure = OrderTakingFailure(outcome)
    #expect(failure?.outcome == outcome && failure?.kind == kind && failure?.status == status)
    #expect(failure?.reason.hasSuffix(".") == true)
    #expect(OrderTakingFailure(.accepted(hasDetails: false)) == nil && OrderTakingFailure.cancellation.outcome == nil)
  }

  @Test("a failure has the last error of a request, also when it is delivered after a restart") func lastError() {
    var proxy = HTTPError.status(404)
    proxy.message = "no answer of an order server"
    let journal = Journal.inMemory()
    let first = Experiment<String>(putRequestResults: [.error(proxy)])
      .setup(policy: .standard, journal: journal, acknowledging: .explicit)
    let failure = first.take(7).error
    #expect(failure?.kind == .rejected && failure?.lastError == "status 404, no answer of an order server")
    #expect(failure?.description.hasSuffix("The last error: status 404, no answer of an order server.") == true)
    let second = Experiment<String>(putRequestResults: []).setup(journal: journal.ofNextProcess)
    #expect(second.resume().orders().first?.future.error == failure)
  }

  @Test("a failure of the journal has the journal's error, and its reason ends with that error's advice") func journal()
  {
    let error = JournalError(.storage, "Cannot write: the disk is full. Free some space.")
    for outcome in [TakingOutcome.unrecorded, .unknown(.journal)] {
      let failure = OrderTakingFailure(outcome, journalError: error)
      #expect(failure?.journalError == error && failure?.reason.hasSuffix("Free some space.") == true)
    }
  }
}

@Suite("An order taker in a task") struct OrderTakerAsyncTests {
  typealias World = Experiment<String>

  @Test("acceptance(of:) returns the accepted order or throws the failure") func waits() async throws {
    let experiment = World(
      putRequestResults: [.accepted, .declined("late")], orderDetailsResults: [.details("details")])
    let taker = experiment.setup()
    let accepted = try await taker.acceptance(of: 7)
    #expect(accepted.details == "details")
    let failure = await #expect(throws: OrderTakingFailure.self) { try await taker.acceptance(of: 8) }
    #expect(failure?.outcome == .declined(reason: "late"))
  }

  @Test("cancelling the only waiting task ends the operation") func cancelled() async {
    let experiment = World(putRequestResults: [.none])
    let taker = experiment.setup()
    let asked = Log<OrderID>()
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

}

private let mainKey: DispatchSpecificKey<Bool> = {
  let key = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: key, value: true)
  return key
}()
