internal import OrderTaking

extension OrderStore {
  /// A store in memory: what is in it survives a restart of the server, not of the process.
  public static func inMemory() -> OrderStore {
    let stored = Locked<(stream: String?, entries: [String: OrderBook.Entry])>((nil, [:]))
    return OrderStore(
      load: { () throws(OrderStoreError) in
        stored.withLock { Contents(stream: $0.stream, entries: Array($0.entries.values)) }
      },
      save: { entries, stream throws(OrderStoreError) in
        stored.withLock { stored in
          stored.stream = stream
          for entry in entries { stored.entries[entry.offer.id] = entry }
        }
      })
  }
}
