/// A client with a mistake in it, to see that the invariants notice.
public enum Mutant: String, Hashable, Sendable, CaseIterable {
  /// Each PUT has a key of its own.
  case freshKeyForEachPut = "drops the idempotency key"
  /// The journal is written when the PUT is on its way.
  case journalsAfterPut = "journals after the PUT"
  /// An operation that ended as unknown is put again under a new key.
  case freshKeyAfterUnknown = "forgets the key of an unknown outcome"
  /// A PUT without an answer is a no.
  case timeoutIsDecline = "treats a timeout as declined"
  /// Cancelling means that the order was not taken, wherever the PUT is.
  case cancelIsFinal = "reports a cancelled PUT as cancelled"
  /// What is not known is reported as expired.
  case unknownIsExpired = "reports unknown as expired"
  /// `already_taken` is believed also when it may be the echo of an own PUT.
  case believesEcho = "treats the echo of its own PUT as declined"
  /// Any 404 is the server's word that it has taken up nothing.
  case believesAnyNotFound = "treats any 404 as no_such_taking"
  /// An acceptance without details is a failure.
  case detailsDecide = "reports an acceptance without details as expired"
  /// Any push is taken for one's own.
  case heedsForeignPushes = "accepts a push for another order"
  /// The server's word that it is working is a yes.
  case processingIsAccepted = "treats processing as accepted"
  /// Details that do not come are made up.
  case inventsDetails = "invents details"
  /// The end is reported again.
  case finishesTwice = "reports the end twice"
  /// Polling goes on after the end.
  case neverStopsPolling = "forgets to stop polling"
  /// A restarted process does not look into its journal.
  case forgetsToResume = "forgets to resume"
  /// A restarted process does not tell the ends that an earlier one has recorded and not told.
  case forgetsUntoldEnds = "does not report recorded ends"
  /// A request may take for ever.
  case waitsForEver = "has no timeout"
  /// The result is asked for when nobody waits for it any more.
  case waitsForAnHour = "waits for an hour before the first GET"

  /// The invariant that catches it.
  public var caughtBy: Invariant {
    switch self {
    case .freshKeyForEachPut, .freshKeyAfterUnknown: .oneAcceptance
    case .journalsAfterPut: .nothingForgotten
    case .timeoutIsDecline, .cancelIsFinal, .unknownIsExpired, .believesEcho, .believesAnyNotFound, .detailsDecide:
      .noFalseFailure
    case .heedsForeignPushes, .processingIsAccepted: .noFalseAcceptance
    case .inventsDetails: .trueDetails
    case .finishesTwice: .endsOnce
    case .neverStopsPolling: .silentAfterTheEnd
    case .forgetsUntoldEnds: .everyEndIsTold
    case .forgetsToResume, .waitsForEver, .waitsForAnHour: .everyOperationEnds
    }
  }
}
