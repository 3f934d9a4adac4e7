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
    walk = Walk(policy, isPersisting: false, .resume(.begun, .take))
    #expect(walk.said == ["persist begun"])
  }

  @Test("a time that was recorded more than a minute ago is recorded again, because the next process relies on it")
  func slowRecord() {
    var walk = Walk(policy, isPersisting: false, .begin)
    #expect(walk.after(.seconds(61), .persisted(.begun)) == ["persist begun"])
    #expect(walk.after(.seconds(60), .persisted(.begun)) == ["put 1"])
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
    later = Walk(policy, isPersisting: false, .resume(.begun, .recover), .notPersisted(.begun, .unknown))
    #expect(later.then(.recordRead(.begun, isCurrent: false)) == ["pause 1 for 3.0 seconds"])
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
      for failure in [JournalError.failed, .unknown] {
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

  @Test("an operation whose journal was moved away ends without a retry")
  func moved() {
    let moved = JournalError(.moved, "moved")
    for error in [HTTPError.timedOut, .status(429)] {
      var walk = Walk(
        .standard, isPersisting: false, .begin, .persisted(.begun), .put(1, failed: error), .pause(2),
        .notPersisted(.begun, moved))
      #expect(walk.said.suffix(2) == ["end deadline", "finish unknown(journal)"])
      #expect(walk.then(.pause(3)) == [])
    }
    #expect(Walk(policy, isPersisting: false, .begin, .notPersisted(.begun, moved)).outcome == .unrecorded)
  }

  @Test("an operation that another process has taken over ends without another effect") func fenced() {
    var walk = Walk(.standard, .begin, .put(1, .processing), .notPersisted(.acknowledged, .fenced))
    #expect(walk.said.suffix(3) == ["end deadline", "end pause 2", "finish unknown(fenced)"])
    walk = Walk(.standard, isPersisting: false, .begin, .notPersisted(.begun, .fenced))
    #expect(walk.said.suffix(2) == ["end deadline", "finish unknown(fenced)"])
    #expect(walk.then(.cancel) == [])
  }

  @Test("a restart resumes from the recorded checkpoint") func restart() {
    #expect(Walk(policy, .resume(.begun, .recover)).said == ["persist begun", "put 1"])
    #expect(Walk(policy, .resume(.acknowledged, .recover)).said == ["get 1"])
    #expect(Walk(policy, .resume(.accepted, .recover)).said == ["details 1"])
    #expect(Walk(policy, .resume(.ended(.accepted(hasDetails: true)), .recover)).said == ["details 1"])
    #expect(Walk(policy, .resume(.ended(.unknown(.expired)), .take)).said == ["persist begun", "put 1"])
    #expect(
      Walk(policy, .resume(.ended(.declined(reason: "late")), .take)).said == ["finish declined(reason: \"late\")"])
    // The PUT before the restart may have reached the server.
    #expect(Walk(.standard, .resume(.begun, .recover), .put(1, failed: .status(404))).said.last == "get 2")
    #expect(
      Walk(policy, .resume(.begun, .recover), .put(1, failed: .notConnected), .cancel).outcome == .unknown(.cancelled))
    #expect(Walk(policy, .begin, .resume(.accepted, .recover)).said.isEmpty)
    let late = Walk(policy, .resume(.accepted, .recover), .push(.declined("late")))
    #expect(late.said.first?.contains("by: journal") == true && late.operation.winner == .journal)
  }

  @Test("a restart after the deadline sends GET instead of PUT") func tooLate() {
    func request(_ checkpoint: TakingCheckpoint, _ purpose: TakingPurpose, age: Int, provenAge: Int? = nil) -> String? {
      let event = Walk.Event.resume(
        checkpoint, purpose, age: .seconds(age), provenAge: provenAge.map { .seconds($0) })
      return Walk(.standard, event).said.last
    }
    #expect(request(.begun, .recover, age: 121) == "get 1")
    #expect(request(.begun, .recover, age: -7_200, provenAge: 121) == "get 1")
    #expect(request(.begun, .recover, age: -7_200) == "put 1")
    #expect(request(.accepted, .recover, age: 121) == "details 1")
    #expect(request(.begun, .take, age: 121) == "put 1")
  }

  @Test("a recorded outcome that was not delivered is delivered after the restart") func undelivered() {
    for outcome in [
      TakingOutcome.declined(reason: "late"), .rejected(status: 400), .cancelled, .expired, .keyMismatch, .keyExpired,
      .unknown(.cancelled), .unknown(.expired), .unknown(.refused(status: 403)), .unknown(.journal),
    ] {
      let walk = Walk(.standard, .resume(.ended(outcome), .recover))
      #expect(walk.said == ["finish \(outcome)".replacing(/OrderTaking\.(\w+\.)+/, with: "")])
      #expect(walk.outcome == outcome)
    }
    for hasDetails in [true, false] {
      var walk = Walk(policy, .resume(.ended(.accepted(hasDetails: hasDetails)), .recover))
      #expect(walk.said == ["details 1"])
      #expect(walk.then(.details(1)).last == "finish accepted(hasDetails: true)")
    }
    #expect(Walk(policy, .begin, .resume(.ended(.cancelled), .recover)).said.isEmpty)
  }

  @Test("an old intent that the server does not know ends as expired") func longPast() {
    let old = Duration.seconds(601)
    for last in [TakingCheckpoint.begun, .acknowledged, .ended(.unknown(.cancelled))] {
      var walk = Walk(.standard, .resume(last, .reconcile, age: old, provenAge: old), .get(1, failed: noTaking))
      #expect(walk.outcome == .expired)
      walk = Walk(.standard, .resume(last, .reconcile, age: old, provenAge: old), .get(1, failed: .status(404)))
      #expect(walk.outcome == .unknown(.refused(status: 404)))
      walk = Walk(.standard, .resume(last, .reconcile, age: old, provenAge: .seconds(600)), .get(1, failed: noTaking))
      #expect(walk.outcome == .unknown(.refused(status: 404)))
    }
    // After a second PUT, a PUT can be in flight.
    let walk = Walk(
      .standard, .resume(.begun, .take, age: old, provenAge: old), .put(1, failed: .timedOut), .pause(2),
      .put(3, failed: .status(400)), .get(4, failed: noTaking))
    #expect(walk.outcome == .unknown(.refused(status: 404)))
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
    walk.after(.seconds(10_800), .token(2))
    #expect(walk.outcome == .expired)
  }
}
