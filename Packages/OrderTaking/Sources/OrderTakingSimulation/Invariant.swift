package import OrderTaking

/// A condition that holds in every simulated world, with every fault.
public enum Invariant: String, Hashable, Sendable, CaseIterable {
  /// The server accepts an order at most once.
  case oneAcceptance = "one acceptance"

  /// An intent that is reported as declined, rejected, cancelled or expired is not accepted on the server, then or later.
  case noFalseFailure = "no false failure"

  /// An order that is reported as accepted is accepted on the server.
  case noFalseAcceptance = "no false acceptance"

  /// The reported details are those of the server.
  case trueDetails = "true details"

  /// An operation ends at most once.
  case endsOnce = "ends once"

  /// An operation sends no request after its end.
  case silentAfterTheEnd = "no requests after the end"

  /// An operation sends no PUT before its record is stored and survives a power failure.
  case putIsRecorded = "no PUT before its record is stored"

  /// An operation sends no PUT after its deadline, also if the device slept.
  case noPutAfterTheDeadline = "no PUT after the deadline"

  /// An outcome is reported after it is stored, unless it is unknown or unrecorded, or an acceptance that the journal cannot
  /// store.
  case endIsRecorded = "no report before the outcome is stored"

  /// After a write fails because another process has taken over the operation, it sends nothing more, and ends as unknown.
  case fencedProcessStops = "a fenced process stops"

  /// Every acceptance of the server has a record in the journal of the device.
  case everyAcceptanceIsRecorded = "every acceptance is recorded"

  /// After the faults have stopped, every recorded outcome is reported, in this process or the next.
  case everyEndIsReported = "every end is reported"

  /// After the faults have stopped, every operation ends within ten minutes, in this process or the next.
  case everyOperationEnds = "every operation ends"
}

/// An invariant that did not hold.
public struct Violation: Hashable, Sendable, CustomStringConvertible {
  /// The invariant.
  public let invariant: Invariant
  /// The time since the start of the world.
  public let at: Duration
  /// The observation.
  public let seen: String

  /// The invariant, the time and the observation.
  public var description: String { "\(invariant.rawValue), at \(at): \(seen)" }
}

extension Mutant {
  /// The invariant that detects the mistake.
  package var caughtBy: Invariant {
    switch self {
    case .freshKeyForEachPut, .freshKeyAfterUnknown: .oneAcceptance
    case .recordsAfterPut: .everyAcceptanceIsRecorded
    case .putsBeforePersisted: .putIsRecorded
    case .timeoutIsDecline, .cancelIsFinal, .unknownIsExpired, .believesEcho, .believesAnyNotFound, .trustsWallTime,
      .detailsDecide, .resumesStaleRecords:
      .noFalseFailure
    case .acceptsForeignPushes, .processingIsAccepted: .noFalseAcceptance
    case .inventsDetails: .trueDetails
    case .finishesTwice: .endsOnce
    case .neverStopsPolling: .silentAfterTheEnd
    case .ignoresDeadline: .noPutAfterTheDeadline
    case .ignoresFailedEnd: .endIsRecorded
    case .ignoresFencing: .fencedProcessStops
    case .forgetsUndeliveredEnds, .acknowledgesBeforeDelivery: .everyEndIsReported
    case .forgetsToResume, .hasNoRequestTimeout, .waitsForAnHour: .everyOperationEnds
    }
  }
}
