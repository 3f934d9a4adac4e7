/// The phase of an operation, with its data.
///
/// Four phases are states of *Reasons to love functional programming*; their names there are in parentheses.
///
/// ```text
/// ready → putting → acknowledged → polling → fetchingDetails → ending → ended
///            │                        ↑             ↑              ↑
///            ├──── in doubt: GET ─────┘             │              │
///            ├──── accepted ────────────────────────┘              │
///            └──── declined, refused, cancelled, too late ─────────┘
/// ```
///
/// An acceptance or an end can also come in `acknowledged` and in `polling`. An operation that continues from its
/// record begins with `putting`, `polling` or `fetchingDetails`.
public enum TakingPhase: Hashable, Sendable {
  case ready

  /// PUTs are sent until the server acknowledges one (`putRequestNotAcknowledgedYet`).
  ///
  /// `mayHaveArrived` is whether a PUT before the current one may have reached the server.
  case putting(mayHaveArrived: Bool)

  /// The server has acknowledged a PUT, and a push is awaited (`putRequestAcknowledgedGetNotStarted`).
  case acknowledged

  /// GETs are sent until the result is known (`runningGetRequests`).
  ///
  /// `ifNotTaken` is the outcome if the server responds that it has recorded no PUT. It is `nil` if that response leaves the
  /// outcome unknown, for example because a PUT may still arrive and be accepted.
  case polling(ifNotTaken: TakingOutcome?)

  case fetchingDetails

  case ending(TakingOutcome)

  /// It has ended (`result`).
  case ended(TakingOutcome)
}

public enum TakingActivity: Hashable, Sendable {
  case none
  case persisting
  /// The record, after a write with an unknown outcome.
  case reading
  case request
  case pause
  case token
}
