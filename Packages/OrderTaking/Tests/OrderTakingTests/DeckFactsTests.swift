import Foundation
import Futures
import OrderTaking
import OrderTakingTesting
import ParallelTesting
import TestSupport
import Testing

/// Defects of the deck's code, which this package does not have.
@Suite("Defects of the deck") struct DeckFactsTests {
  typealias World = Experiment<String>

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
}

/// Skipped under ThreadSanitizer, where they take minutes.
@Suite("Long operations on a small stack") struct DeepTests {
  typealias World = Experiment<String>

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
