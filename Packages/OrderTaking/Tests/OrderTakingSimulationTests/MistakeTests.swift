import Futures
import OrderTaking
import OrderTakingSimulation
import Synchronization
import Testing

@Suite("A mistake") struct MistakeTests {
  @Test("the simulation finds it around a taker, by the invariant that it violates", arguments: Mistake.all)
  func found(mistake: Mistake) {
    let finding = (0..<4_000 as Range<UInt64>).first { seed in
      var simulation = Simulation(seed: seed)
      simulation.change = mistake.change
      return simulation.run().violations.contains { $0.invariant == mistake.violates }
    }
    #expect(finding != nil)
  }

  @Test("the exploration of an operation finds it in its effects", arguments: OperationMistake.all)
  func foundInOperation(mistake: OperationMistake) {
    #expect(explore(limit: 40_000, mistake.handle).violation == mistake.violation)
  }

  @Test("every invariant is violated by a mistake") func everyInvariant() {
    #expect(Set(Mistake.all.map { $0.violates }) == Set(Invariant.allCases))
  }
}

/// A wrong client, journal, clock or policy.
struct Mistake: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let violates: Invariant
  let change: @Sendable (inout TakerParts) -> Void

  init(_ description: String, _ violates: Invariant, _ change: @escaping @Sendable (inout TakerParts) -> Void) {
    (testDescription, self.violates, self.change) = (description, violates, change)
  }

  static let all: [Mistake] = [
    Mistake("a client that uses another key for each PUT", .oneKey) { parts in
      let (take, count) = (parts.http.take, Counter())
      parts.http.take = { take(TakingIntent(order: $0.order, key: IdempotencyKey(high: 9, low: count.next()))) }
    },
    Mistake("a journal that forgets unknown outcomes", .everyAcceptanceIsRecorded) { parts in
      let record = parts.journal.record
      parts.journal.record = { record($0).map(immediateExecutionContext) { $0?.state == .unknown ? nil : $0 } }
    },
    Mistake("a journal that confirms a write before it stores the record", .putIsRecorded) { parts in
      parts.changeWrites { record, write in
        _ = write(record)
        return Future(value: ())
      }
    },
    Mistake("a policy that takes an echo of its own PUT for a decline", .noFalseFailure) { parts in
      parts.policy.ambiguousDeclineReasons = []
    },
    Mistake("a push channel that drops the keys", .noFalseAcceptance) { parts in
      let push = parts.push
      parts.push = PushClient { receive in
        push.subscribe { receive(PushedResult(order: $0.order, key: nil, result: $0.result)) }
      }
    },
    Mistake("a client that invents details", .trueDetails) { parts in
      let details = parts.http.acceptedOrderDetails
      parts.http.acceptedOrderDetails = { details($0).recoverWith(immediateExecutionContext) { _ in Future(value: 0) } }
    },
    Mistake("a journal that reports no failed write of an end", .endIsRecorded) { parts in
      parts.changeWrites { record, write in
        guard case .ended = record.checkpoint else { return write(record) }
        return write(record).recoverWith(immediateExecutionContext) { _ in Future(value: ()) }
      }
    },
    Mistake("a journal that does not report that another process has taken over", .fencedProcessStops) { parts in
      parts.changeWrites { record, write in
        write(record).recoverWith(immediateExecutionContext) {
          $0.kind == .fenced ? Future(value: ()) : Future(error: $0)
        }
      }
    },
    Mistake("a journal that lists no due orders", .everyOperationEnds) { parts in
      parts.journal.dueRecords = { _, _ in Future(value: []) }
    },
    Mistake("a journal that lists no unknown outcomes", .everyOutcomeIsKnown) { parts in
      let due = parts.journal.dueRecords
      parts.journal.dueRecords = { due($0, $1).map(immediateExecutionContext) { $0.filter { $0.state != .unknown } } }
    },
    Mistake("a journal that acknowledges an outcome before its delivery", .everyEndIsReported) { parts in
      parts.changeWrites { record, write in
        var record = record
        if case .ended = record.checkpoint { record.isDelivered = true }
        return write(record)
      }
    },
  ]
}

extension TakerParts {
  fileprivate typealias Write = @Sendable (TakingRecord) -> Future<Void, JournalError>

  fileprivate mutating func changeWrites(
    _ change: @escaping @Sendable (TakingRecord, Write) -> Future<Void, JournalError>
  ) {
    let write = journal.write
    journal.write = { change($0, write) }
  }
}

private final class Counter: Sendable {
  private let count = Atomic<UInt64>(0)
  func next() -> UInt64 { count.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// An operation whose effects are changed.
struct OperationMistake: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let violation: String
  let handle: Handle

  private init(
    _ description: String, _ violation: String, _ change: @escaping @Sendable (TakingEffect) -> [TakingEffect]
  ) {
    (testDescription, self.violation) = (description, violation)
    handle = { operation, event, now in operation.handle(event, at: now, under: policy).flatMap(change) }
  }

  private init(_ description: String, _ violation: String, handle: @escaping Handle) {
    (testDescription, self.violation, self.handle) = (description, violation, handle)
  }

  static let all = [
    OperationMistake("a cancelled PUT is reported as cancelled", "false failure") { effect in
      switch effect {
      case .persist(.ended(.unknown(.cancelled))): [.persist(.ended(.cancelled))]
      case .finish(.unknown(.cancelled)): [.finish(.cancelled)]
      default: [effect]
      }
    },
    OperationMistake("the end is reported twice", "second end") { effect in
      if case .finish = effect { [effect, effect] } else { [effect] }
    },
    OperationMistake("a GET is sent after the end", "request after the end") { effect in
      if case .finish = effect { [effect, .send(TakingRequest(kind: .get, number: 99))] } else { [effect] }
    },
    OperationMistake("a PUT is sent before it is recorded", "PUT without a record") { effect in
      effect == .persist(.begun) ? [.send(TakingRequest(kind: .put, number: 99)), effect] : [effect]
    },
    OperationMistake("a request has no timeout", "nothing to wait for") { effect in
      if case .startTimer(.request, _) = effect { [] } else { [effect] }
    },
    OperationMistake("the wall clock proves that no PUT can still arrive", "false failure") { operation, event, now in
      guard case .resume(var record, let purpose) = event else {
        return operation.handle(event, at: now, under: policy)
      }
      record.lastPutAt?.sinceBoot = .seconds(-700)
      return operation.handle(.resume(record, purpose), at: now, under: policy)
    },
    OperationMistake("the deadline is not compared with the clock", "PUT after the deadline") { operation, event, _ in
      operation.handle(event, at: .start, under: policy)
    },
  ]
}
