package import OrderTaking

/// A condition that holds in every simulated world, with every fault.
public enum Invariant: String, Hashable, Sendable, CaseIterable {
  case oneAcceptance = "one acceptance"

  /// An intent that is reported as declined, rejected, cancelled or expired is not accepted on the server, then or later.
  case noFalseFailure = "no false failure"

  case noFalseAcceptance = "no false acceptance"

  case trueDetails = "true details"

  case endsOnce = "ends once"

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

public struct Violation: Hashable, Sendable, CustomStringConvertible {
  public let invariant: Invariant
  public let at: Duration
  public let seen: String

  public var description: String { "\(invariant.rawValue), at \(at): \(seen)" }
}

extension Mutant {
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
