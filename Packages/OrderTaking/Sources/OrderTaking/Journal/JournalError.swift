/// The reason why a journal could not be read or written.
public struct JournalError: Error, Hashable, Sendable {
  /// Later versions can add kinds.
  public struct Kind: Hashable, Sendable, RawRepresentable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let storage = Kind(rawValue: "storage")
    /// The process may not write the storage, for example on a read-only file system.
    public static let notWritable = Kind(rawValue: "not writable")
    /// The write may be stored, or may be stored by a later recovery.
    public static let unknownOutcome = Kind(rawValue: "unknown outcome")
    /// Another process has taken over the order, so this journal refuses the write.
    ///
    /// Nothing was stored. A journal with a lock, such as `SQLiteJournal`, does not let a second process open it, and
    /// never returns this kind.
    public static let fenced = Kind(rawValue: "fenced")
    /// The journal is already open, in this process or another one.
    public static let inUse = Kind(rawValue: "in use")
    public static let damaged = Kind(rawValue: "damaged")
    /// The file is not a journal.
    ///
    /// It was not changed.
    public static let foreign = Kind(rawValue: "foreign")
    public static let otherServer = Kind(rawValue: "other server")
    public static let tooNew = Kind(rawValue: "too new")
  }

  public var kind: Kind
  public var description: String

  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}

extension JournalError: CustomStringConvertible {}
