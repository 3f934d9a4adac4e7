/// Where the server's state survives a restart, as a struct of closures.
///
/// The server calls them one at a time.
public struct OrderStore: Sendable {
  /// What was stored.
  public struct Contents: Hashable, Sendable {
    /// Names the counting of cursors; `nil` when nothing was stored yet.
    public var stream: String?
    /// The orders.
    public var entries: [OrderBook.Entry]

    /// Creates contents.
    public init(stream: String? = nil, entries: [OrderBook.Entry] = []) {
      self.stream = stream
      self.entries = entries
    }
  }

  /// Everything that is stored.
  public var load: @Sendable () throws(OrderStoreError) -> Contents
  /// Makes entries safe, all or none, before it returns; those of the same orders are replaced.
  public var save: @Sendable (_ entries: [OrderBook.Entry], _ stream: String) throws(OrderStoreError) -> Void
  /// Lets go of the storage.
  public var close: @Sendable () -> Void

  /// Creates a store from what it does.
  public init(
    load: @escaping @Sendable () throws(OrderStoreError) -> Contents,
    save: @escaping @Sendable ([OrderBook.Entry], String) throws(OrderStoreError) -> Void,
    close: @escaping @Sendable () -> Void = {}
  ) {
    self.load = load
    self.save = save
    self.close = close
  }
}

/// Why the server's state could not be read or written.
public struct OrderStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried, with what, what came back, and the way out.
  public let description: String

  /// Creates an error.
  public init(_ description: String) { self.description = description }
}
