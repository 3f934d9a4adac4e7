import OrderTaking
import Testing

/// The first two tables of the rules; the order is 7, the interval 3 s, the delay 5 s.
@Suite("The deck's rules") struct DeckRulesTests {
  let deck = TakingPolicy.deck(intervalBetweenRetries: .seconds(3), delayBeforeFirstGetRequest: .seconds(5))
  let declined = HTTPError.status(500, declineReason: "late")

  @Test("an error with a decline reason ends the operation as declined") func declineInError() {
    var walk = Walk(deck, .begin, .put(1, failed: declined))
    #expect(walk.outcome == .declined(reason: "late"))
    #expect(walk.said.last == "finish declined(reason: \"late\")")
    walk = Walk.polling(deck, .get(3, failed: declined))
    #expect(walk.outcome == .declined(reason: "late"))
  }

  @Test("a PUT is retried after any other error, after the interval") func putAgain() {
    var walk = Walk(deck, .begin)
    #expect(walk.said == ["persist begun", "put 1"])
    let hurried = HTTPError.status(503, retryAfter: .seconds(9))
    for error in [HTTPError.status(500), .status(404), .status(401), .timedOut, .notConnected, hurried] {
      let number = UInt32(walk.all.count { $0.hasPrefix("put") } * 2 - 1)
      walk.then(.put(number, failed: error))
      #expect(walk.said.last == "pause \(number + 1) for 3.0 seconds")
      #expect(walk.then(.pause(number + 1)) == ["persist begun", "put \(number + 2)"])
    }
  }

  @Test("an answer of processing stops the PUTs and starts the delay") func acknowledged() {
    let walk = Walk(deck, .begin, .put(1, .processing))
    #expect(walk.said == ["persist acknowledged", "report acknowledged", "pause 2 for 5.0 seconds"])
    #expect(walk.operation.phase == .acknowledged)
  }

  @Test("a failed GET is retried after the interval") func failedGet() {
    var walk = Walk.polling(deck, .get(3, failed: .status(500)))
    #expect(walk.said.last == "pause 4 for 3.0 seconds")
    #expect(walk.then(.pause(4)) == ["get 5"])
    walk.then(.get(5, failed: .status(404)))
    #expect(walk.said.last == "pause 6 for 3.0 seconds")
  }

  @Test("the first result wins and stops the other channel") func firstWins() {
    var walk = Walk(deck, .begin, .push(.accepted))
    #expect(
      walk.said == ["abandon put 1", "persist accepted", "report won(accepted, by: push)", "details 2"])
    walk = Walk(deck, .begin, .put(1, failed: .timedOut), .push(.declined("late")))
    #expect(walk.said.first == "end pause 2")
    #expect(walk.outcome == .declined(reason: "late"))
    walk = Walk.polling(deck, .push(.accepted))
    #expect(walk.said.first == "abandon get 3")
    walk = Walk(deck, .begin, .put(1, .declined("late")), .push(.declined("late")))
    #expect(walk.said.isEmpty && walk.operation.winner == .put)
    walk = Walk(deck, .begin, .put(1, .accepted), .push(.accepted))
    #expect(walk.said.isEmpty && walk.operation.winner == .put)
  }

  // The rules that the deck lacks or gets wrong.

  @Test("a decline that may refer to our own PUT is checked with GET") func echo() {
    let taken = HTTPError.status(422, declineReason: "already_taken")
    var policy = deck
    policy.ambiguousDeclineReasons = ["already_taken"]
    var walk = Walk.afterLostPut(policy, .put(3, failed: taken))
    #expect(walk.said.last == "get 4")
    #expect(walk.then(.get(4, .accepted)).last == "details 5")
    // The network may have duplicated the first PUT. GET decides.
    walk = Walk(policy, .begin, .put(1, failed: taken))
    #expect(walk.said.last == "get 2")
    #expect(walk.then(.get(2, .accepted)).last == "details 3")
    walk = Walk(.standard, .begin, .put(1, failed: taken), .get(2, failed: .status(404, problem: .noSuchTaking)))
    #expect(walk.outcome == .declined(reason: "already_taken"))
    // Any other 404 can come from a proxy or from a moved server, and does not describe the order.
    for error in [HTTPError.status(404), .status(404, problem: .init(rawValue: "no_such_order"))] {
      walk = Walk(.standard, .begin, .put(1, failed: taken), .get(2, failed: error))
      #expect(walk.outcome == .unknown(.refused(status: 404)))
    }
    walk = Walk.afterLostPut(policy, .put(3, failed: taken), .get(4, failed: taken))
    #expect(walk.outcome == .declined(reason: "already_taken"))
    walk = Walk.afterLostPut(policy, .put(3, .declined("already_taken")))
    #expect(walk.said.last == "get 4")
    // The deck's rules accept the decline.
    walk = Walk.afterLostPut(deck, .put(3, failed: taken))
    #expect(walk.outcome == .declined(reason: "already_taken"))
  }

  @Test("a result in a late answer to an abandoned request counts") func lateAnswer() {
    var policy = deck
    policy.requestTimeout = .seconds(10)
    var walk = Walk(policy, .begin, .limit(1), .put(1, .accepted))
    #expect(walk.said.first == "end pause 2" && walk.said.last == "details 3")
    walk = Walk(policy, .begin, .limit(1), .pause(2), .put(1, failed: declined))
    #expect(walk.outcome == .declined(reason: "late"))
    walk = Walk(policy, .begin, .limit(1), .pause(2), .put(1, .processing))
    #expect(walk.said.contains("abandon put 3") && walk.operation.phase == .acknowledged)
    walk = Walk(policy, .begin, .put(1, .accepted), .limit(2), .details(2))
    #expect(walk.outcome == .accepted(hasDetails: true))
    // A response to a request for details never changes the result.
    walk = Walk(policy, .begin, .put(1, .accepted), .limit(2), .details(2, failed: declined))
    #expect(walk.said.isEmpty)
    walk = Walk(policy, .begin, .details(9), .cancel)
    #expect(walk.outcome == .unknown(.cancelled))
  }

  @Test("a push for another intent is ignored") func foreignPush() {
    let walk = Walk(deck, .begin, .push(.accepted, key: IdempotencyKey(high: 9, low: 9)))
    #expect(walk.said == ["report foreignPush"])
    #expect(Walk(deck, .begin, .push(.accepted, key: Walk.key)).said.last == "details 2")
    #expect(walk.operation.phase == .putting(mayHaveArrived: false))
  }

  @Test("contradicting results are reported with both sources") func contradiction() {
    var walk = Walk(deck, .begin, .put(1, .declined("late")), .push(.accepted))
    #expect(walk.said == ["report contradiction(declined(\"late\"), by: put, with: accepted, from: push)"])
    #expect(walk.then(.push(.declined("other"))) == [])
    #expect(walk.outcome == .declined(reason: "late"))
    walk = Walk(deck, .begin, .put(1, .accepted), .push(.declined("late")))
    #expect(walk.said == ["report contradiction(accepted, by: put, with: declined(\"late\"), from: push)"])
    #expect(walk.then(.details(2)).last == "finish accepted(hasDetails: true)")
  }
}
