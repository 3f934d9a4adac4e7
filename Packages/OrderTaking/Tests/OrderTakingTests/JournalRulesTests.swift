import OrderTaking
import Testing

@Suite("The journal's rules") struct JournalRulesTests {
  let policy = TakingPolicy.deck(intervalBetweenRetries: .seconds(3), delayBeforeFirstGetRequest: .seconds(5))
  let noTaking = HTTPError.status(404, problem: .noSuchTaking)

  @Test("an intent is recorded before its first PUT") func recordedFirst() {
    var walk = Walk(policy, isPersisting: false, .begin)
    #expect(walk.said == ["persist begun"])
    #expect(walk.then(.persisted(.begun)) == ["put 1"])
    #expect(walk.then(.persisted(.begun)) == [])
    #expect(Walk(policy, .begin, .begin).said.isEmpty)
  }

  @Test("the time of each PUT is recorded before the PUT") func eachPut() {
    var walk = Walk(policy, isPersisting: false, .begin, .persisted(.begun), .put(1, failed: .timedOut), .pause(2))
    #expect(walk.said == ["persist begun"])
    #expect(walk.then(.persisted(.begun)) == ["put 3"])
    walk = Walk(policy, isPersisting: false, .take(.begun))
    #expect(walk.said == ["persist begun"])
  }

  @Test("an outcome is recorded before it is reported") func recordedBeforeReport() {
    var walk = Walk(policy, isPersisting: false, .begin, .persisted(.begun), .put(1, .declined("late")))
    #expect(walk.said.last == "persist ended(declined(reason: \"late\"))")
    #expect(walk.outcome == nil)
    #expect(walk.then(.cancel) == [])
    #expect(walk.then(.persisted(.ended(.declined(reason: "late")))) == ["finish declined(reason: \"late\")"])
  }

  @Test("an intent that cannot be recorded is not sent") func unrecorded() {
    let walk = Walk(policy, isPersisting: false, .begin, .notPersisted(.begun, .failed))
    #expect(walk.said == ["report notPersisted(begun, failed)", "finish unrecorded"])
    // Its timer is stopped.
    let timed = Walk(.standard, isPersisting: false, .begin, .notPersisted(.begun, .failed))
    #expect(timed.said.contains("end deadline"))
  }

  @Test("a PUT whose time cannot be recorded waits for the next attempt") func laterPut() {
    var walk = Walk(
      policy, isPersisting: false, .begin, .persisted(.begun), .put(1, failed: .timedOut), .pause(2),
      .notPersisted(.begun, .failed))
    #expect(walk.said.last == "pause 3 for 3.0 seconds")
    #expect(walk.then(.pause(3)) == ["persist begun"])
  }

  @Test("a record whose write has an unknown outcome is read before any other effect") func unknownWrite() {
    let walk = Walk(policy, isPersisting: false, .begin, .notPersisted(.begun, .unknown))
    #expect(walk.said == ["report notPersisted(begun, unknown)", "read record"])
    var found = walk
    #expect(found.then(.recordRead(.begun, isCurrent: true)) == ["put 1"])
    // The record may appear later, for example in another process after a restart.
    var absent = walk
    #expect(absent.then(.recordRead(.begun, isCurrent: false)) == ["persist ended(unknown(journal))"])
    #expect(absent.then(.notPersisted(.ended(.unknown(.journal)), .failed)).last == "finish unknown(journal)")
    var later = Walk(
      policy, isPersisting: false, .begin, .persisted(.begun), .put(1, failed: .timedOut), .pause(2),
      .notPersisted(.begun, .unknown), .recordRead(.begun, isCurrent: false))
    #expect(later.said == ["pause 3 for 3.0 seconds"])
    later = Walk(policy, isPersisting: false, .recover(.begun), .notPersisted(.begun, .unknown))
    #expect(later.then(.recordRead(.begun, isCurrent: false)) == ["pause 1 for 3.0 seconds"])
    // Cancelled in between: the order was not sent.
    var cancelled = walk
    #expect(cancelled.then(.cancel) == ["persist ended(cancelled)"])
    #expect(cancelled.then(.recordRead(.begun, isCurrent: true)) == [])
    #expect(cancelled.then(.persisted(.ended(.cancelled))) == ["finish cancelled"])
  }

  @Test("a failure that cannot be recorded is reported as unknown, because a restart would take the order")
  func unrecordedEnd() {
    let started = Walk(policy, isPersisting: false, .begin, .persisted(.begun))
    for (event, outcome) in [
      (Walk.Event.put(1, .declined("late")), TakingOutcome.declined(reason: "late")),
      (.put(1, failed: .status(422, declineReason: "late")), .declined(reason: "late")),
    ] {
      for failure in [PersistenceFailure.failed, .unknown] {
        var walk = started
        walk.then(event)
        walk.then(.notPersisted(.ended(outcome), failure))
        if failure == .unknown { walk.then(.recordRead(.ended(outcome), isCurrent: false)) }
        #expect(walk.outcome == .unknown(.journal))
      }
      var walk = started
      walk.then(event)
      walk.then(.notPersisted(.ended(outcome), .unknown))
      walk.then(.recordRead(.ended(outcome), isCurrent: true))
      #expect(walk.outcome == outcome)
    }
    // An accepted order stays accepted: the same key returns the same result.
    var walk = started
    walk.then(.put(1, .accepted))
    walk.then(.details(2))
    walk.then(.notPersisted(.ended(.accepted(hasDetails: true)), .failed))
    #expect(walk.outcome == .accepted(hasDetails: true))
  }

  @Test("a later checkpoint that cannot be recorded is reported") func laterUnrecorded() {
    var walk = Walk(
      policy, isPersisting: false, .begin, .persisted(.begun), .put(1, .accepted), .notPersisted(.accepted, .failed))
    #expect(walk.said == ["report notPersisted(accepted, failed)"])
    #expect(walk.then(.details(2)).last == "persist ended(accepted(hasDetails: true))")
    #expect(Walk(policy, .begin, .notPersisted(.accepted, .failed)).outcome == nil)
    #expect(Walk(policy, .recover(.acknowledged), .notPersisted(.begun, .failed)).outcome == nil)
    #expect(Walk(policy, .begin, .put(1, failed: .timedOut), .pause(2), .notPersisted(.begun, .failed)).outcome == nil)
  }

  @Test("an operation that another process has taken over ends without another effect") func fenced() {
    var walk = Walk(.standard, .begin, .put(1, .processing), .notPersisted(.acknowledged, .fenced))
    #expect(walk.said.suffix(3) == ["end deadline", "end pause 2", "finish unknown(fenced)"])
    walk = Walk(.standard, isPersisting: false, .begin, .notPersisted(.begun, .fenced))
    #expect(walk.said.suffix(2) == ["end deadline", "finish unknown(fenced)"])
    #expect(walk.then(.cancel) == [])
  }

  @Test("a restart resumes from the recorded checkpoint") func restart() {
    #expect(Walk(policy, .recover(.begun)).said == ["persist begun", "put 1"])
    #expect(Walk(policy, .recover(.acknowledged)).said == ["get 1"])
    #expect(Walk(policy, .recover(.accepted)).said == ["details 1"])
    #expect(Walk(policy, .recover(.ended(.accepted(hasDetails: true)))).said == ["details 1"])
    #expect(Walk(policy, .take(.ended(.unknown(.expired)))).said == ["persist begun", "put 1"])
    #expect(Walk(policy, .take(.ended(.declined(reason: "late")))).said == ["finish declined(reason: \"late\")"])
    // The PUT before the restart may have reached the server.
    #expect(Walk(.standard, .recover(.begun), .put(1, failed: .status(404))).said.last == "get 2")
    #expect(Walk(policy, .recover(.begun), .put(1, failed: .notConnected), .cancel).outcome == .unknown(.cancelled))
    #expect(Walk(policy, .begin, .recover(.accepted)).said.isEmpty)
    // The source of the acceptance is not recorded.
    let late = Walk(policy, .recover(.accepted), .push(.declined("late")))
    #expect(late.said.first?.contains("by: journal") == true && late.operation.winner == .journal)
  }

  @Test("a restart after the deadline sends GET instead of PUT") func tooLate() {
    for age in [Event(age: .seconds(121), provenAge: nil), Event(age: .seconds(-7_200), provenAge: .seconds(121))] {
      #expect(Walk(policy, .recover(.begun, age: age.age, provenAge: age.provenAge)).said == ["get 1"])
    }
    #expect(Walk(policy, .recover(.begun, age: .seconds(-7_200))).said == ["persist begun", "put 1"])
    #expect(Walk(policy, .recover(.acknowledged, age: .seconds(121))).said == ["get 1"])
    #expect(Walk(policy, .recover(.accepted, age: .seconds(121))).said == ["details 1"])
    #expect(Walk(policy, .take(.begun, age: .seconds(121))).said == ["persist begun", "put 1"])
  }

  private struct Event {
    let age: Duration
    let provenAge: Duration?
  }

  @Test("a recorded outcome that was not delivered is delivered after the restart") func undelivered() {
    for outcome in [
      TakingOutcome.declined(reason: "late"), .rejected(status: 400), .cancelled, .expired, .keyMismatch, .keyExpired,
      .unknown(.cancelled), .unknown(.expired), .unknown(.refused(status: 403)), .unknown(.journal),
    ] {
      let walk = Walk(.standard, .recover(.ended(outcome)))
      #expect(walk.said == ["finish \(outcome)".replacing(/OrderTaking\.(\w+\.)+/, with: "")])
      #expect(walk.outcome == outcome)
    }
    // The journal contains no details, so they are requested again.
    for hasDetails in [true, false] {
      var walk = Walk(policy, .recover(.ended(.accepted(hasDetails: hasDetails))))
      #expect(walk.said == ["details 1"])
      #expect(walk.then(.details(1)).last == "finish accepted(hasDetails: true)")
    }
    #expect(Walk(policy, .begin, .recover(.ended(.cancelled))).said.isEmpty)
  }

  @Test("an old intent that the server does not know ends as expired") func longPast() {
    let old = Duration.seconds(601)
    for last in [TakingCheckpoint.begun, .acknowledged, .ended(.unknown(.cancelled))] {
      var walk = Walk(.standard, .reconcile(last, age: old, provenAge: old), .get(1, failed: noTaking))
      #expect(walk.outcome == .expired)
      walk = Walk(.standard, .reconcile(last, age: old, provenAge: old), .get(1, failed: .status(404)))
      #expect(walk.outcome == .unknown(.refused(status: 404)))
      walk = Walk(.standard, .reconcile(last, age: old, provenAge: .seconds(600)), .get(1, failed: noTaking))
      #expect(walk.outcome == .unknown(.refused(status: 404)))
    }
    // After a second PUT, a PUT can be in flight.
    let walk = Walk(
      .standard, .take(.begun, age: old, provenAge: old), .put(1, failed: .timedOut), .pause(2),
      .put(3, failed: .status(400)), .get(4, failed: noTaking))
    #expect(walk.outcome == .unknown(.refused(status: 404)))
  }

  @Test("a clock that was set forward does not make a recent intent old") func clockSetForward() {
    let hours = Duration.seconds(7_200)
    for event in [Walk.Event.recover(.begun, age: hours), .reconcile(.begun, age: hours)] {
      #expect(Walk(.standard, event, .get(1, failed: noTaking)).outcome == .unknown(.refused(status: 404)))
    }
    let sameBoot = Walk(.standard, .recover(.begun, age: hours, provenAge: .seconds(5)), .get(1, failed: noTaking))
    #expect(sameBoot.outcome == .unknown(.refused(status: 404)))
  }

  @Test("the time in which the machine sleeps counts for the deadline") func suspended() {
    var walk = Walk(.standard, .begin, .put(1, failed: .timedOut))
    // Three hours later, the timer of the pause fires first.
    #expect(walk.after(.seconds(10_800), .pause(2)).contains { $0.hasPrefix("put") } == false)
    #expect(walk.outcome == .unknown(.expired))
    walk = Walk(.standard, .begin, .put(1, failed: .notConnected))
    walk.after(.seconds(10_800), .pause(2))
    #expect(walk.outcome == .expired)
    // The machine sleeps during the write before the PUT.
    walk = Walk(.standard, isPersisting: false, .begin)
    #expect(walk.after(.seconds(10_800), .persisted(.begun)) == ["end deadline", "persist ended(expired)"])
    // A token arrives after it.
    walk = Walk(.standard, .begin, .put(1, failed: .status(401)))
    walk.after(.seconds(10_800), .tokenRefreshed(number: 2, failure: nil))
    #expect(walk.outcome == .expired)
  }

  @Test("an unknown outcome is reconciled with GET") func reconcile() {
    let walk = Walk(policy, .reconcile(.ended(.unknown(.cancelled))))
    #expect(walk.said == ["get 1"])
    #expect(Walk(policy, .begin, .cancel, .push(.accepted)).said.count == 1)  // a late result is reported
  }
}
