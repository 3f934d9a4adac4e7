internal import OrderTaking
internal import OrderTakingDispatch

extension OrderStore {
  /// Returns a store whose contents survive a restart of the server, but not the end of the process.
  public static func inMemory() -> OrderStore {
    let stored = Locked<(epoch: String?, entries: [String: DispatchState.Entry])>((nil, [:]))
    return OrderStore(
      load: { () throws(OrderStoreError) in
        stored.withLock { Contents(epoch: $0.epoch, entries: Array($0.entries.values)) }
      },
      save: { entries, epoch throws(OrderStoreError) in
        stored.withLock { stored in
          stored.epoch = epoch
          for entry in entries { stored.entries[entry.offer.id] = entry }
        }
      })
  }
}
