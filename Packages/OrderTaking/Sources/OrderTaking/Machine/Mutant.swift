/// A mistake in an operation or its shell.
///
/// Tests check that a simulation detects it.
///
/// Only debug builds can contain one.
package enum Mutant: String, Hashable, Sendable, CaseIterable {
  case freshKeyForEachPut = "uses another key for each PUT"
  case freshKeyAfterUnknown = "uses another key after an unknown outcome"
  case recordsAfterPut = "writes the record after the PUT"
  case putsBeforePersisted = "sends the PUT before the record is stored"
  case timeoutIsDecline = "treats a timeout as declined"
  case cancelIsFinal = "reports a cancelled PUT as cancelled"
  case unknownIsExpired = "reports an unknown outcome as expired"
  case believesEcho = "treats the echo of its own PUT as declined"
  case believesAnyNotFound = "treats any 404 as no_such_taking"
  case trustsWallTime = "decides by the wall clock that no PUT can still arrive"
  case detailsDecide = "reports an acceptance without details as expired"
  case acceptsForeignPushes = "accepts a push with another key"
  case processingIsAccepted = "treats processing as accepted"
  case inventsDetails = "reports details that did not arrive"
  case finishesTwice = "reports the end twice"
  case neverStopsPolling = "sends a GET after the end"
  case ignoresDeadline = "checks no deadline before a request"
  case ignoresFailedEnd = "reports an outcome that is not stored"
  case ignoresFencing = "continues after another process has taken over"
  case forgetsToResume = "resumes nothing"
  case forgetsUndeliveredEnds = "does not deliver recorded outcomes"
  case resumesStaleRecords = "resumes from a record that it does not read again"
  case acknowledgesBeforeDelivery = "acknowledges an outcome before its delivery"
  case hasNoRequestTimeout = "has no request timeout"
  case waitsForAnHour = "waits for an hour before the first GET"
}

extension TakingPolicy {
  @inline(__always)
  func has(_ mistake: Mutant) -> Bool {
    #if DEBUG
      mutant == mistake
    #else
      false
    #endif
  }
}
