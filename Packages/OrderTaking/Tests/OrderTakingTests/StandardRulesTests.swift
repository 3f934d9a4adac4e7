import OrderTaking
import Testing

/// The table of the default policy; without jitter, so that times are known.
@Suite("The default policy's rules") struct StandardRulesTests {
  let policy = TakingPolicy(
    retries: .constant(.seconds(3)), attempts: 3, requestTimeout: .seconds(10), deadline: .seconds(60))

  @Test("408, 425, 429, 409 in progress, 5xx and transport errors are retried")
  func retryable() {
    let errors: [HTTPError] = [
      .status(408), .status(425), .status(429), .status(409, problem: .inProgress), .status(500), .status(503),
      .status(599), .timedOut, .connectionLost, .notConnected,
    ]
    for error in errors {
      #expect(Walk(policy, .begin, .put(1, failed: error)).said.last == "pause 2 for 3.0 seconds")
      let walk = Walk(policy, .begin, .put(1, .processing), .pause(2), .get(3, failed: error))
      #expect(walk.said.last == "pause 4 for 3.0 seconds")
    }
    #expect(TakingPolicy.standard.retries == .exponential(from: .milliseconds(500), atMost: .seconds(20)))
  }

  @Test(
    "any other 4xx to the first PUT ends the operation as rejected",
    arguments: [400, 402, 403, 404, 409, 410, 422, 499])
  func rejected(status: Int) {
    let walk = Walk(policy, .begin, .put(1, failed: .status(status)))
    #expect(walk.outcome == .rejected(status: status))
    // After 429, the server has not processed the PUT.
    let later = Walk(policy, .begin, .put(1, failed: .status(429)), .pause(2), .put(3, failed: .status(status)))
    #expect(later.outcome == .rejected(status: status))
  }

  @Test(
    "a 4xx after a PUT that may have reached the server is followed by GET",
    arguments: [HTTPError.timedOut, .connectionLost, .status(500), .status(409, problem: .inProgress)])
  func askInstead(error: HTTPError) {
    var walk = Walk(policy, .begin, .put(1, failed: error), .pause(2), .put(3, failed: .status(404)))
    #expect(walk.said.last == "get 4")
    #expect(walk.then(.get(4, .accepted)).last == "details 5")
  }

  @Test(
    "a failure of TLS or an invalid request ends the operation without a retry, as expired or, after a PUT, as unknown",
    arguments: [HTTPError.Kind.insecure, .invalidRequest])
  func notSent(kind: HTTPError.Kind) {
    let error = HTTPError(kind)
    #expect(Walk(policy, .begin, .put(1, failed: error)).outcome == .expired)
    #expect(
      Walk(policy, .begin, .put(1, failed: .timedOut), .pause(2), .put(3, failed: error)).outcome == .unknown(.expired))
    #expect(Walk(policy, .begin, .put(1, .processing), .pause(2), .get(3, failed: error)).outcome == .unknown(.expired))
  }

  @Test("a refused GET ends the operation as unknown") func refusedGet() {
    let walk = Walk(policy, .begin, .put(1, .processing), .pause(2), .get(3, failed: .status(404)))
    #expect(walk.outcome == .unknown(.refused(status: 404)))
  }

  @Test("an expired key and then no_such_taking end the operation with the outcome key expired")
  func expiredKey() {
    let expired = HTTPError.status(410, problem: .idempotencyKeyExpired)
    var walk = Walk(policy, .recover(.begun), .put(1, failed: expired))
    #expect(walk.said.last == "get 2")
    walk.then(.get(2, failed: .status(404, problem: .noSuchTaking)))
    #expect(walk.outcome == .keyExpired)
    // After any other 404, and after 404 alone, the outcome is unknown: the PUT may still be in flight.
    walk = Walk(
      policy, .recover(.begun), .put(1, failed: expired), .get(2, failed: .status(404)))
    #expect(walk.outcome == .unknown(.refused(status: 404)))
    walk = Walk(
      policy, .begin, .put(1, failed: .timedOut), .pause(2), .put(3, failed: .status(400)),
      .get(4, failed: .status(404, problem: .noSuchTaking)))
    #expect(walk.outcome == .unknown(.refused(status: 404)))
  }

  @Test(
    "a key error code with a 5xx is retried",
    arguments: ["idempotency_key_mismatch", "idempotency_key_expired"])
  func wordBesideServerError(word: String) {
    let error = HTTPError.status(503, problem: .init(rawValue: word))
    #expect(Walk(policy, .begin, .put(1, failed: error)).said.last == "pause 2 for 3.0 seconds")
    let walk = Walk(policy, .begin, .put(1, .processing), .pause(2), .get(3, failed: error))
    #expect(walk.said.last == "pause 4 for 3.0 seconds")
  }

  @Test("a Retry-After beyond the deadline ends the operation as expired")
  func retryAfterBeyondDeadline() {
    let later = HTTPError.status(429, retryAfter: .seconds(60))
    #expect(Walk(policy, .begin, .put(1, failed: later)).outcome == .expired)
    #expect(Walk(policy, .begin, .put(1, failed: .status(429, retryAfter: .seconds(59)))).outcome == nil)
    // A server that has accepted the order can still push it.
    #expect(Walk(policy, .begin, .put(1, .processing), .pause(2), .get(3, failed: later)).outcome == nil)
  }

  @Test("401 refreshes the token once") func token() {
    var walk = Walk(policy, .begin, .put(1, failed: .status(401)))
    #expect(walk.said.suffix(2) == ["limit 2 to 10.0 seconds", "token 2"])
    #expect(walk.then(.tokenRefreshed(number: 2, failure: nil)).last == "put 3")
    walk.then(.put(3, failed: .status(401)))
    #expect(walk.outcome == .rejected(status: 401))
    // After another answer, the next 401 requests a token again.
    walk = Walk(
      policy, .begin, .put(1, failed: .status(401)), .tokenRefreshed(number: 2, failure: nil),
      .put(3, failed: .status(503)), .pause(4), .put(5, failed: .status(401)))
    #expect(walk.said.last == "token 6")
    // A 401 to another kind of request requests a token, too.
    walk = Walk(
      policy, .begin, .put(1, failed: .status(401)), .tokenRefreshed(number: 2, failure: nil), .put(3, .accepted),
      .details(4, failed: .status(401)))
    #expect(walk.said.last == "token 5")
    walk = Walk(
      policy, .begin, .put(1, .processing), .pause(2), .get(3, failed: .status(401)),
      .tokenRefreshed(number: 4, failure: nil), .get(5, .processing), .pause(6), .get(7, failed: .status(401)))
    #expect(walk.said.last == "token 8")
    // The log-in service refuses a token.
    walk = Walk(policy, .begin, .put(1, failed: .status(401)), .tokenRefreshed(number: 2, failure: .status(401)))
    #expect(walk.outcome == .rejected(status: 401))
    // It does not respond in time: the request is retried, and may ask again.
    walk = Walk(policy, .begin, .put(1, failed: .status(401)), .limit(2))
    #expect(walk.said == ["abandon token 2", "pause 3 for 3.0 seconds"])
    #expect(walk.then(.pause(3)).last == "put 4")
    #expect(walk.then(.put(4, failed: .status(401))).last == "token 5")
    #expect(walk.then(.cancel).first == "abandon token 5")
    // The log-in service fails or cannot be reached: the request is retried, and the refresh has no time limit any
    // more.
    for error in [HTTPError.timedOut, .notConnected, .connectionLost, .status(503)] {
      walk = Walk(policy, .begin, .put(1, failed: .status(401)), .tokenRefreshed(number: 2, failure: error))
      #expect(walk.said == ["end limit 2", "pause 3 for 3.0 seconds"])
      #expect(walk.then(.pause(3)).last == "put 4")
      #expect(walk.then(.put(4, failed: .status(401))).last == "token 5")
    }
    walk = Walk(
      policy, .begin, .put(1, failed: .status(401)),
      .tokenRefreshed(number: 2, failure: .status(429, retryAfter: .seconds(7))))
    #expect(walk.said.last == "pause 3 for 7.0 seconds")
    // A late result of an earlier refresh has no effect.
    walk = Walk(policy, .begin, .put(1, failed: .status(401)), .tokenRefreshed(number: 1, failure: .status(401)))
    #expect(walk.said.isEmpty)
    // Requests for details are always retried.
    walk = Walk(policy, .begin, .put(1, .accepted), .details(2, failed: .status(401)), .limit(3))
    #expect(walk.said.last == "pause 4 for 3.0 seconds")
  }

  @Test("Retry-After is respected") func retryAfter() {
    let walk = Walk(policy, .begin, .put(1, failed: .status(503, retryAfter: .seconds(9))))
    #expect(walk.said.last == "pause 2 for 9.0 seconds")
    #expect(
      Walk(policy, .begin, .put(1, failed: .status(503, retryAfter: .seconds(1)))).said.last
        == "pause 2 for 3.0 seconds")
    #expect(
      Walk(policy, .begin, .put(1, .accepted), .details(2, failed: .status(404, retryAfter: .seconds(9)))).said.last
        == "pause 3 for 9.0 seconds")
  }

  @Test("a request without an answer times out") func requestTimeout() {
    var walk = Walk(policy, .begin)
    #expect(walk.said == ["deadline in 60.0 seconds", "persist begun", "limit 1 to 10.0 seconds", "put 1"])
    walk.then(.limit(1))
    #expect(walk.said.first == "abandon put 1" && walk.said.last == "pause 2 for 3.0 seconds")
    #expect(walk.operation.mayHaveReachedServer)
    #expect(walk.then(.limit(1)).isEmpty)
    #expect(Walk(policy, .begin, .put(1, .accepted), .limit(2)).said.last == "pause 3 for 3.0 seconds")
    // An answer in time stops the timer.
    #expect(Walk(policy, .begin, .put(1, .processing)).said.first == "end limit 1")
  }

  @Test("the attempt limit and the deadline end the operation") func ends() {
    func three(_ error: HTTPError) -> TakingOutcome? {
      Walk(
        policy, .begin, .put(1, failed: .status(429)), .pause(2), .put(3, failed: error), .pause(4),
        .put(5, failed: .status(429))
      ).outcome
    }
    #expect(three(.notConnected) == .expired)
    #expect(three(.timedOut) == .unknown(.expired))
    #expect(Walk(policy, .begin, .put(1, failed: .notConnected), .deadline).outcome == .expired)
    #expect(Walk(policy, .begin, .deadline).outcome == .unknown(.expired))
    #expect(Walk(policy, .begin, .put(1, .processing), .deadline).outcome == .unknown(.expired))
    let failing = Walk(
      policy, .begin, .put(1, .processing), .pause(2), .get(3, failed: .timedOut), .pause(4), .get(5, .processing),
      .pause(6), .get(7, failed: .timedOut), .pause(8), .get(9, failed: .timedOut))
    #expect(failing.outcome == nil)  // three failures, but not in a row
    let both = Walk(
      policy, .begin, .put(1, failed: .status(429)), .pause(2), .put(3, failed: .status(429)), .pause(4),
      .put(5, .processing), .pause(6), .get(7, failed: .timedOut))
    #expect(both.outcome == nil)  // nor all of the same kind
    var none = policy
    none.deadline = .zero
    #expect(Walk(none, .begin).said == ["finish expired"])
    for (last, end) in [
      (TakingCheckpoint.begun, TakingOutcome.unknown(.expired)), (.acknowledged, .unknown(.expired)),
      (.ended(.unknown(.cancelled)), .unknown(.cancelled)), (.accepted, .accepted(hasDetails: false)),
      (.ended(.declined(reason: "late")), .declined(reason: "late")),
    ] {
      let walk = Walk(none, .recover(last))
      #expect(walk.said.count == 1 && walk.outcome == end, "\(walk.said)")
    }
  }

  @Test("an acceptance without details remains an acceptance") func noDetails() {
    var walk = Walk(policy, .begin, .put(1, .accepted), .details(2, failed: .status(500)), .deadline)
    #expect(walk.said.last == "finish accepted(hasDetails: false)")
    walk = Walk(policy, .begin, .put(1, .accepted), .cancel)
    #expect(walk.said.contains("abandon details 2"))
    #expect(walk.said.last == "finish accepted(hasDetails: false)")
    // Attempts do not end it.
    walk = Walk(
      policy, .begin, .put(1, .accepted), .details(2, failed: .timedOut), .pause(3), .details(4, failed: .timedOut),
      .pause(5), .details(6, failed: .timedOut))
    #expect(walk.said.last == "pause 7 for 3.0 seconds")
  }

  @Test("cancelling ends the operation as cancelled, unknown or accepted") func cancel() {
    #expect(Walk(policy, .cancel).outcome == .cancelled)
    #expect(Walk(policy, .begin, .cancel).outcome == .unknown(.cancelled))
    #expect(Walk(policy, .begin, .put(1, failed: .notConnected), .cancel).outcome == .cancelled)
    #expect(Walk(policy, .begin, .put(1, failed: .status(429)), .cancel).outcome == .cancelled)
    #expect(Walk(policy, .begin, .put(1, failed: .timedOut), .cancel).outcome == .unknown(.cancelled))
    #expect(Walk(policy, .begin, .put(1, .processing), .cancel).outcome == .unknown(.cancelled))
    #expect(Walk(policy, .begin, .put(1, failed: .status(401)), .cancel).outcome == .cancelled)
    #expect(Walk(policy, .begin, .put(1, .declined("late")), .cancel).said.isEmpty)
    let cancelled = Walk(policy, .begin, .put(1, .processing), .cancel)
    #expect(cancelled.said.prefix(2) == ["end pause 2", "end deadline"])
  }

  @Test("a key mismatch and an expired key have outcomes of their own") func keys() {
    let mismatch = HTTPError.status(422, problem: .idempotencyKeyMismatch)
    let expired = HTTPError.status(400, problem: .idempotencyKeyExpired)
    #expect(Walk(policy, .begin, .put(1, failed: mismatch)).outcome == .keyMismatch)
    #expect(Walk(policy, .begin, .put(1, failed: expired)).outcome == .keyExpired)
    for error in [mismatch, expired] {
      let walk = Walk(policy, .begin, .put(1, failed: .timedOut), .pause(2), .put(3, failed: error))
      #expect(walk.said.last == "get 4")
    }
  }
}
