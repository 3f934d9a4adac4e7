/// What holds in every world, whatever goes wrong in it.
public enum Invariant: String, Hashable, Sendable, CaseIterable {
  /// The server holds at most one acceptance of an order.
  case oneAcceptance = "one acceptance"

  /// What a client reports as declined, rejected, cancelled or expired is not accepted on the server, then or later.
  case noFalseFailure = "no false failure"

  /// What a client reports as accepted is accepted on the server.
  case noFalseAcceptance = "no false acceptance"

  /// The details that a client reports are the server's.
  case trueDetails = "true details"

  /// An operation reports one end.
  case endsOnce = "ends once"

  /// An operation that has ended sends nothing any more.
  case silentAfterTheEnd = "no requests after the end"

  /// Whatever the server holds as accepted is in the journal of the client whose it is.
  case nothingForgotten = "every acceptance is recorded"

  /// After the faults have stopped every end has been told, also one that was recorded by a process that died before it
  /// could tell it.
  case everyEndIsTold = "every end is reported"

  /// After the faults have stopped every operation ends within ten minutes, in this process or the next.
  case everyOperationEnds = "every operation ends"
}

/// An invariant that did not hold.
public struct Violation: Hashable, Sendable, CustomStringConvertible {
  /// Which one.
  public let invariant: Invariant
  /// When, since the world began.
  public let at: Duration
  /// What was seen.
  public let seen: String

  /// All three in a line.
  public var description: String { "\(invariant.rawValue), at \(at): \(seen)" }
}
