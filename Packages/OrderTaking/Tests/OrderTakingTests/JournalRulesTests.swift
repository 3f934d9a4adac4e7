import OrderTaking
import Testing

/// The table of the journal.
@Suite("The journal's rules") struct JournalRulesTests {
  let policy = TakingPolicy.deck(intervalBetweenRetries: .seconds(3), delayBeforeFirstGetRequest: .seconds(5))

  @Test("an intent is recorded before its first PUT") func recordedFirst() {
    #expect(Walk(policy, .begin).said == ["record begun", "put 1"])
    #expect(Walk(policy, .begin, .begin).said.isEmpty)
  }

  @Test("an intent that cannot be recorded is not sent") func unrecorded() {
    let walk = Walk(policy, .begin, .recordingFailed(.begun))
    #expect(walk.said == ["report recordingFailed(begun)", "finish unrecorded -"])
  }

  @Test("a later change that cannot be recorded is reported") func laterUnrecorded() {
    var walk = Walk(policy, .begin, .put(1, .accepted), .recordingFailed(.accepted))
    #expect(walk.said == ["report recordingFailed(accepted)"])
    #expect(walk.then(.details(2, "2 parcels")).last == "finish accepted(hasDetails: true) 2 parcels")
    #expect(Walk(policy, .begin, .recordingFailed(.accepted)).outcome == nil)
    #expect(Walk(policy, .resume(.acknowledged), .recordingFailed(.begun)).outcome == nil)
    #expect(Walk(policy, .begin, .put(1, failed: .timedOut), .pause(2), .recordingFailed(.begun)).outcome == nil)
  }

  @Test("a restart resumes from the recorded state") func restart() {
    #expect(Walk(policy, .resume(.begun)).said == ["put 1"])
    #expect(Walk(policy, .resume(.acknowledged)).said == ["get 1"])
    #expect(Walk(policy, .resume(.accepted)).said == ["details 1"])
    #expect(Walk(policy, .resume(.ended(.accepted(hasDetails: true)))).said == ["details 1"])
    #expect(Walk(policy, .resume(.ended(.unknown(.expired)))).said == ["put 1"])
    #expect(
      Walk(policy, .resume(.ended(.declined(reason: "late")))).said == ["finish declined(reason: \"late\") -"])
    // The PUT before the restart may have reached the server.
    #expect(Walk(.standard, .resume(.begun), .put(1, failed: .status(404))).said.last == "get 2")
    #expect(Walk(policy, .resume(.begun), .put(1, failed: .notConnected), .cancel).outcome == .unknown(.cancelled))
    #expect(Walk(policy, .begin, .resume(.accepted)).said.isEmpty)
    // Nobody knows any more who brought the acceptance.
    let late = Walk(policy, .resume(.accepted), .push(.declined("late")))
    #expect(late.said.first?.contains("by: journal") == true && late.operation.winner == .journal)
  }

  @Test("a restart after the budget sends GET instead of PUT") func tooLate() {
    #expect(Walk(policy, .resume(.begun, isExpired: true)).said == ["get 1"])
    #expect(Walk(policy, .resume(.acknowledged, isExpired: true)).said == ["get 1"])
    #expect(Walk(policy, .resume(.accepted, isExpired: true)).said == ["details 1"])
  }

  @Test("a recorded outcome that was not delivered is delivered after the restart") func untold() {
    for outcome in [
      TakingOutcome.declined(reason: "late"), .rejected(status: 400), .cancelled, .expired, .keyMismatch, .keyExpired,
      .unknown(.cancelled), .unknown(.expired), .unknown(.refused(status: 403)),
    ] {
      let walk = Walk(.standard, .announce(outcome))
      #expect(walk.said.count == 1 && walk.said.first?.hasPrefix("finish ") == true)
      #expect(walk.outcome == outcome)
    }
    // The journal holds no details: they are asked for again.
    for hasDetails in [true, false] {
      var walk = Walk(policy, .announce(.accepted(hasDetails: hasDetails)))
      #expect(walk.said == ["details 1"])
      #expect(walk.then(.details(1, "2 parcels")).last == "finish accepted(hasDetails: true) 2 parcels")
    }
    #expect(Walk(policy, .begin, .announce(.cancelled)).said.isEmpty)
  }

  @Test("an old intent that the server does not know ends as expired") func longPast() {
    let nothing = HTTPError.status(404, problem: .noSuchTaking)
    for last in [TakingChange.begun, .acknowledged, .ended(.unknown(.cancelled))] {
      var walk = Walk(.standard, .resume(last: last, isExpired: true, isLongPast: true), .get(1, failed: nothing))
      #expect(walk.outcome == .expired)
      walk = Walk(.standard, .resume(last: last, isExpired: true, isLongPast: true), .get(1, failed: .status(404)))
      #expect(walk.outcome == .unknown(.refused(status: 404)))
      walk = Walk(.standard, .resume(last: last, isExpired: true), .get(1, failed: nothing))
      #expect(walk.outcome == .unknown(.refused(status: 404)))
    }
    // Where it is put again, a PUT is on its way.
    let walk = Walk(
      .standard, .resume(last: .begun, isExpired: false, isLongPast: true), .put(1, failed: .timedOut), .pause(2),
      .put(3, failed: .status(400)), .get(4, failed: nothing))
    #expect(walk.outcome == .unknown(.refused(status: 404)))
  }

  @Test("an unknown outcome is reconciled with GET") func settle() {
    let walk = Walk(policy, .resume(.ended(.unknown(.cancelled)), isExpired: true))
    #expect(walk.said == ["get 1"])
    #expect(Walk(policy, .begin, .cancel, .push(.accepted)).said.count == 1)  // a late result is told
  }
}
