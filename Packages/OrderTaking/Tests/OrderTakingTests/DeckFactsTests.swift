import Foundation
import Futures
import OrderTaking
import OrderTakingTesting
import ParallelTesting
import TestSupport
import Testing

/// Defects of the deck's code, which this package does not have.
@Suite("Defects of the deck") struct DeckFactsTests {
  typealias World = Experiment<Int, String>
  let deck = TakingPolicy.deck(intervalBetweenRetries: .seconds(3), delayBeforeFirstGetRequest: .seconds(5))

  @Test("a failed first GET waits for the interval, not for the delay as well") func doubledWait() {
    let experiment = World(
      putRequestResults: [.processing], getRequestResults: [.error(.status(500)), .error(.status(500)), .accepted])
    experiment.setup(policy: deck).take(7)
    experiment.clock.advance(by: .seconds(20))
    #expect(experiment.requests.map(\.at) == [0, 5, 8, 11, 11].map { .seconds($0) })
  }

  @Test("take sends one PUT immediately, for any number of listeners") func hot() {
    let experiment = World(putRequestResults: [.accepted], orderDetailsResults: [.details("details")])
    let future = experiment.setup().take(7)
    #expect(experiment.count(of: .put) == 1)
    let log = Locked<[String]>([])
    for _ in 1...2 {
      future.onSuccess(immediateExecutionContext) { order in log.withLock { $0.append(order.details ?? "") } }
    }
    #expect(log.withLock { $0 } == ["details", "details"])
    #expect(experiment.count(of: .put) == 1)
  }

  @Test("a push that arrives while the PUT is being sent is not lost") func earlyPush() {
    let experiment = World(putRequestResults: [], orderDetailsResults: [.details("details")])
    let taker = experiment.setup()
    experiment.httpClient.takeClosure = { intent in
      experiment.pushClient.send(.accepted, for: intent.order)
      return Future()
    }
    let future = taker.take(7)
    #expect(future.value?.details == "details")
  }

  @Test("a push that arrives before the first listener of the future is not lost") func unheardPush() {
    let experiment = World(putRequestResults: [.none], orderDetailsResults: [.details("details")])
    let future = experiment.setup().take(7)
    experiment.pushClient.send(.accepted, for: 7)
    let log = Locked<[String]>([])
    future.onSuccess(immediateExecutionContext) { order in log.withLock { $0.append(order.details ?? "") } }
    #expect(log.withLock { $0 } == ["details"])
  }

  @Test("a PUT without a response ends at its timeout, or with the deck's policy at a push")
  func unansweredPut() {
    let deckExperiment = World(putRequestResults: [.none], orderDetailsResults: [.details("details")])
    let waiting = deckExperiment.setup().take(7)
    deckExperiment.clock.advance(by: .seconds(1_000_000))
    #expect(!waiting.isCompleted)
    deckExperiment.pushClient.send(.accepted, for: 7)
    #expect(waiting.isSuccess)

    let experiment = World(putRequestResults: [])
    let future = experiment.setup(policy: .standard).take(7)
    experiment.clock.advance(by: .seconds(120))
    #expect(future.error?.kind == .unknown)
    #expect(experiment.count(of: .put) > 2)
    #expect(experiment.clock.armedCount == 0)
  }

  @Test(
    "an operation whose details never arrive ends as accepted at the deadline, even after errors with a decline reason")
  func endlessDetails() {
    let declined = HTTPError.status(422, declineReason: "late")
    let experiment = World(
      putRequestResults: [.accepted], orderDetailsResults: Array(repeating: .error(declined), count: 1_000))
    let future = experiment.setup(policy: .standard).take(7)
    experiment.clock.advance(by: .seconds(120))
    #expect(future.value == AcceptedOrder(order: 7, details: nil))
    #expect((4...200).contains(experiment.count(of: .details)))
  }

  @Test("a decline push during the details request is reported, and the operation ends as accepted")
  func declineDuringDetails() {
    let log = Locked<[TakingProgress<Int>]>([])
    let experiment = World(
      putRequestResults: [.accepted], orderDetailsResults: [.longDetails("details", .seconds(1))])
    let future = experiment.setup(log: { entry in log.withLock { $0.append(entry) } }).take(7)
    experiment.sendPushReject(for: 7, after: .milliseconds(500), reason: "late")
    experiment.clock.advance(by: .seconds(1))
    #expect(future.value?.details == "details")
    let errors = log.withLock { $0 }.filter { $0.level == .error }.map(\.step)
    #expect(errors == [.noticed(.contradiction(.accepted, by: .put, with: .declined("late"), from: .push))])
  }

  @Test("422 already_taken after a lost response is our own order") func alreadyTaken() {
    let taken = HTTPError.status(422, declineReason: "already_taken")
    let experiment = World(
      putRequestResults: [.error(.connectionLost), .error(taken)], getRequestResults: [.accepted],
      orderDetailsResults: [.details("details")])
    let future = experiment.setup(policy: .standard).take(7)
    experiment.clock.advance(by: .seconds(10))
    #expect(future.value?.details == "details")
  }

  @Test("several values from one PUT start one GET loop") func oneLoop() {
    let experiment = World(putRequestResults: [], getRequestResults: Array(repeating: .processing, count: 100))
    let taker = experiment.setup(policy: deck)
    let put = Promise<TakingAnswer, HTTPError>()
    experiment.httpClient.takeClosure = { _ in put.future }
    taker.take(7)
    for _ in 1...3 { put.success(.processing) }
    experiment.clock.advance(by: .seconds(11))
    #expect(experiment.requests.map(\.at) == [5, 8, 11].map { .seconds($0) })
  }

  @Test("the same order taken twice sends one PUT") func joined() {
    let experiment = World(
      putRequestResults: [.long(.accepted, .seconds(1))], orderDetailsResults: [.details("details")])
    let taker = experiment.setup()
    let futures = [taker.take(7), taker.take(7)]
    experiment.clock.advance(by: .seconds(1))
    #expect(experiment.count(of: .put) == 1)
    #expect(futures.map { $0.value?.details } == ["details", "details"])
  }

  @Test("the cost of a push does not depend on the number of operations") func pushCost() {
    func cost(among count: Int) -> Int {
      let experiment = Experiment<CountedID, String>(putRequestResults: [])
      let counter = Locked(0)
      let taker = experiment.setup()
      for number in 0..<count { taker.take(CountedID(number: number, counter: counter)) }
      counter.withLock { $0 = 0 }
      experiment.pushClient.send(.accepted, for: CountedID(number: count / 2, counter: counter))
      return counter.withLock { $0 }
    }
    // A hash table may probe a few places more or less.
    #expect(cost(among: 5_000) <= cost(among: 5) + 20)
  }

  @Test(
    "after 20,000 polls on a small stack, one timer runs, and an operation can still end in each way",
    arguments: ["accepted", "push", "cancel"])
  func longPolling(end: String) async {
    let polls = 20_000
    let outcome = await onThread { () -> String in
      let experiment = World(
        putRequestResults: [.processing],
        getRequestResults: Array(repeating: .processing, count: polls) + (end == "accepted" ? [.accepted] : []),
        orderDetailsResults: [.details("accepted")])
      let taker = experiment.setup()
      let future = taker.take(7)
      experiment.clock.advance(by: .milliseconds(polls))
      let armed = experiment.clock.armedCount
      switch end {
      case "push": experiment.pushClient.send(.accepted, for: 7)
      case "cancel": taker.cancel(7)
      default: experiment.clock.advance(by: .milliseconds(1))
      }
      return
        "\(armed) \(experiment.count(of: .get) >= polls) \(future.value?.details ?? future.error?.kind.rawValue ?? "")"
    }
    #expect(outcome == (end == "cancel" ? "1 true unknown" : "1 true accepted"))
  }

  @Test("20,000 immediate responses need little stack") func immediateAnswers() async {
    let count = 20_000
    let outcome = await onThread { () -> Int in
      let experiment = World(putRequestResults: Array(repeating: .error(.status(500)), count: count) + [.accepted])
      experiment.setup(policy: .deck(intervalBetweenRetries: .zero, delayBeforeFirstGetRequest: .zero)).take(7)
      experiment.clock.advance(by: .zero)
      return experiment.count(of: .put)
    }
    #expect(outcome == count + 1)
  }
}

/// An order whose comparisons and hashes are counted.
private struct CountedID: Hashable, Sendable {
  let number: Int
  let counter: Locked<Int>

  static func == (left: CountedID, right: CountedID) -> Bool {
    left.counter.withLock { $0 += 1 }
    return left.number == right.number
  }

  func hash(into hasher: inout Hasher) {
    counter.withLock { $0 += 1 }
    hasher.combine(number)
  }
}
