import OrderTaking
import Testing

/// The table of the default policy; without jitter, so that times are known.
@Suite("The default policy's rules") struct StandardRulesTests {
  let policy = {
    var policy = TakingPolicy()
    (policy.retries, policy.attempts, policy.deadline) = (.constant(.seconds(3)), 3, .seconds(60))
    return policy
  }()

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
      Walk.afterLostPut(policy, .put(3, failed: error)).outcome == .unknown(.expired))
    #expect(Walk.polling(policy, .get(3, failed: error)).outcome == .unknown(.expired))
  }

  @Test(
    "a key error code with a 5xx is retried",
    arguments: ["idempotency_key_mismatch", "idempotency_key_expired"])
  func wordBesideServerError(word: String) {
    let error = HTTPError.status(503, problem: .init(rawValue: word))
    #expect(Walk(policy, .begin, .put(1, failed: error)).said.last == "pause 2 for 3.0 seconds")
    let walk = Walk.polling(policy, .get(3, failed: error))
    #expect(walk.said.last == "pause 4 for 3.0 seconds")
  }

  @Test("401 refreshes the token, and a second one in a row rejects the order") func token() {
    let asking = Walk(policy, .begin, .put(1, failed: .status(401)))
    #expect(asking.said.suffix(2) == ["limit 2 to 10.0 seconds", "token 2"])
    var walk = asking
    #expect(walk.then(.token(2)).last == "put 3")
    walk.then(.put(3, failed: .status(401)))
    #expect(walk.outcome == .rejected(status: 401))
    // After another answer, the next 401 requests a token again, for each kind of request.
    walk = Walk(
      policy, .begin, .put(1, failed: .status(401)), .token(2), .put(3, failed: .status(503)), .pause(4),
      .put(5, failed: .status(401)))
    #expect(walk.said.last == "token 6")
    walk = Walk.polling(
      policy, .get(3, failed: .status(401)), .token(4), .get(5, .processing), .pause(6), .get(7, failed: .status(401)))
    #expect(walk.said.last == "token 8")
    // Requests for details are always retried.
    walk = Walk(policy, .begin, .put(1, .accepted), .details(2, failed: .status(401)), .token(3, failed: .status(401)))
    #expect(walk.said.last == "pause 4 for 3.0 seconds")
    // The log-in service refuses a token, or an earlier refresh ends late.
    walk = asking
    #expect(walk.then(.token(1, failed: .status(401))) == [])
    walk.then(.token(2, failed: .status(401)))
    #expect(walk.outcome == .rejected(status: 401))
  }

  @Test(
    "a log-in service that fails or does not respond is asked again after a pause",
    arguments: [HTTPError.timedOut, .notConnected, .connectionLost, .status(503)])
  func noToken(error: HTTPError) {
    var walk = Walk(policy, .begin, .put(1, failed: .status(401)))
    walk.then(error == .timedOut ? .limit(2) : .token(2, failed: error))
    #expect(walk.said.last == "pause 3 for 3.0 seconds" && walk.said.contains("end limit 2"))
    #expect(walk.then(.pause(3)).last == "put 4")
    #expect(walk.then(.put(4, failed: .status(401))).last == "token 5")
    #expect(walk.then(.cancel).first == "abandon token 5")
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
    // Three failures, but not in a row.
    let failing = Walk.polling(
      policy, .get(3, failed: .timedOut), .pause(4), .get(5, .processing), .pause(6), .get(7, failed: .timedOut),
      .pause(8), .get(9, failed: .timedOut))
    #expect(failing.outcome == nil)
    var none = policy
    none.deadline = .zero
    #expect(Walk(none, .begin).outcome == .expired)
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

  @Test("a Retry-After beyond the deadline ends the operation at once, unless a push can still bring the result")
  func retryAfterDeadline() {
    let late = HTTPError.status(429, retryAfter: .seconds(60))
    #expect(Walk(policy, .begin, .put(1, failed: late)).outcome == .expired)
    let accepted = Walk(policy, .begin, .put(1, .accepted), .details(2, failed: late))
    #expect(accepted.outcome == .accepted(hasDetails: false))
    #expect(Walk.afterLostPut(policy, .put(3, failed: late)).said.last == "pause 4 for 60.0 seconds")
    #expect(Walk.polling(policy, .get(3, failed: late)).said.last == "pause 4 for 60.0 seconds")
  }

  @Test("a request without an answer times out") func requestTimeout() {
    var walk = Walk(policy, .begin)
    #expect(walk.said == ["deadline in 60.0 seconds", "persist begun", "limit 1 to 10.0 seconds", "put 1"])
    walk.then(.limit(1))
    #expect(walk.said.first == "abandon put 1" && walk.said.last == "pause 2 for 3.0 seconds")
    #expect(walk.then(.limit(1)).isEmpty)
    #expect(Walk(policy, .begin, .put(1, .accepted), .limit(2)).said.last == "pause 3 for 3.0 seconds")
    // An answer in time stops the timer.
    #expect(Walk(policy, .begin, .put(1, .processing)).said.first == "end limit 1")
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
      let walk = Walk.afterLostPut(policy, .put(3, failed: error))
      #expect(walk.said.last == "get 4")
    }
  }

  @Test(
    "transport errors and a request in progress are retried",
    arguments: [HTTPError.timedOut, .connectionLost, .notConnected, .status(409, problem: .inProgress)])
  func retryable(error: HTTPError) {
    #expect(Walk(policy, .begin, .put(1, failed: error)).said.last == "pause 2 for 3.0 seconds")
    #expect(Walk.polling(policy, .get(3, failed: error)).said.last == "pause 4 for 3.0 seconds")
  }

  /// The reaction to each status class, after the first PUT, after a PUT that may have arrived, and after a GET.
  @Test(
    "each class of statuses has one meaning, and only known temporary ones are retried",
    arguments: [
      (100, "get 2", "get 4", "unknown(refused(status: 100))"),
      (204, "get 2", "get 4", "unknown(refused(status: 204))"),
      (301, "redirected(to: \"https://b\")", "get 4", "unknown(refused(status: 301))"),
      (307, "redirected(to: \"https://b\")", "get 4", "unknown(refused(status: 307))"),
      (400, "rejected(status: 400)", "get 4", "unknown(refused(status: 400))"), (401, "token 2", "token 4", "token 4"),
      (404, "rejected(status: 404)", "get 4", "unknown(refused(status: 404))"),
      (408, "pause", "pause", "pause"), (421, "rejected(status: 421)", "get 4", "unknown(refused(status: 421))"),
      (425, "pause", "pause", "pause"), (429, "pause", "pause", "pause"), (500, "pause", "pause", "pause"),
      (502, "pause", "pause", "pause"), (504, "pause", "pause", "pause"),
      (600, "get 2", "get 4", "unknown(refused(status: 600))"),
    ])
  func statusClasses(status: Int, first: String, again: String, get: String) {
    var error = HTTPError.status(status)
    error.location = "https://b"
    func reaction(_ walk: Walk) -> String {
      let last = walk.said.last ?? ""
      return last.hasPrefix("pause") ? "pause" : last.replacing("finish ", with: "")
    }
    #expect(reaction(Walk(policy, .begin, .put(1, failed: error))) == first)
    let open = Walk.afterLostPut(policy, .put(3, failed: error))
    #expect(reaction(open) == again)
    #expect(reaction(Walk.polling(policy, .get(3, failed: error))) == get)
  }
}
