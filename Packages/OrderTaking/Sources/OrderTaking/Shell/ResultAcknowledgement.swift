/// The moment at which a taker records that an outcome was delivered.
///
/// An outcome that is not acknowledged is delivered again by ``OrderTaker/resume(under:)`` after a restart.
public enum ResultAcknowledgement: Hashable, Sendable {
  /// When the futures of the operation have completed.
  ///
  /// The outcome is lost if the process ends before the caller has used it. With ``OrderTaker/resume(under:)``, the futures can have
  /// completed before the caller receives them.
  case automatic

  /// When the caller calls ``OrderTaker/acknowledge(_:of:)``, for example after it has stored the outcome.
  case explicit
}
