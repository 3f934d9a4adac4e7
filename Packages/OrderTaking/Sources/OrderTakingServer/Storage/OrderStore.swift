public import OrderTakingDispatch

/// The storage of a server's state, as a struct of closures.
///
/// The server calls them one at a time, on a thread that may wait for the disk.
public struct OrderStore: Sendable {
  public struct Contents: Hashable, Sendable {
    /// The name of the numbering of pushes; `nil` in an empty store.
    public var epoch: String?
    public var entries: [DispatchState.Entry]

    public init(epoch: String? = nil, entries: [DispatchState.Entry] = []) {
      self.epoch = epoch
      self.entries = entries
    }
  }

  public var load: @Sendable () throws(OrderStoreError) -> Contents
  /// Stores all entries or none before it returns.
  ///
  /// An entry replaces the stored entry of the same order.
  public var save: @Sendable (_ entries: [DispatchState.Entry], _ epoch: String) throws(OrderStoreError) -> Void
  public var close: @Sendable () -> Void

  /// The functions of a store that several servers share; `nil` for a store of one server.
  ///
  /// Then ``load`` returns the epoch alone, and ``save`` keeps stored orders and the stored epoch.
  package var shared: SharedOrders?

  public init(
    load: @escaping @Sendable () throws(OrderStoreError) -> Contents,
    save: @escaping @Sendable ([DispatchState.Entry], String) throws(OrderStoreError) -> Void,
    close: @escaping @Sendable () -> Void = {}
  ) {
    self.load = load
    self.save = save
    self.close = close
  }
}

/// The reason why the server's state cannot be read or written.
public struct OrderStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}
