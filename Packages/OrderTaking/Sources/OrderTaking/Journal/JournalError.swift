/// Why a journal could not be read or written.
public struct JournalError: Error, Hashable, Sendable {
  /// What went wrong; more may come.
  public struct Kind: Hashable, Sendable, RawRepresentable {
    /// The kind's name.
    public let rawValue: String
    /// Creates a kind.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The storage refused to read or write.
    public static let storage = Kind(rawValue: "storage")
    /// The journal is open already, in this process or another live one.
    public static let inUse = Kind(rawValue: "in use")
    /// What was read is not what was written.
    public static let damaged = Kind(rawValue: "damaged")
    /// The file is something else, and was left as it is.
    public static let foreign = Kind(rawValue: "foreign")
    /// Its orders are another server's.
    public static let otherServer = Kind(rawValue: "other server")
    /// It was written by a later release.
    public static let tooNew = Kind(rawValue: "too new")
  }

  /// What went wrong.
  public var kind: Kind
  /// What was tried, with what, what came back, and the way out.
  public var description: String

  /// Creates an error.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}

extension JournalError: CustomStringConvertible {}
