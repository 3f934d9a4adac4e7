/// The rule by which a journal removes records.
///
/// A journal removes only records whose outcome was delivered. It never removes the record of an order with an unknown
/// outcome, because only its idempotency key can reconcile the order.
public struct JournalRetention: Hashable, Sendable {
  /// The time from the start of an operation after which its delivered record may be removed; `nil` to keep all records.
  public var deliveredRecords: Duration?

  public init(deliveredRecords: Duration?) {
    self.deliveredRecords = deliveredRecords
  }

  /// Keeps delivered records for 30 days.
  public static let standard = JournalRetention(deliveredRecords: .seconds(30 * 86_400))

  public static let forever = JournalRetention(deliveredRecords: nil)

  /// Returns a time since 1970, or `nil` to keep all records.
  ///
  /// A delivered record is removed if its operation began before that time.
  package func limit(at now: Duration) -> Duration? {
    deliveredRecords.map { now - $0 }
  }
}
