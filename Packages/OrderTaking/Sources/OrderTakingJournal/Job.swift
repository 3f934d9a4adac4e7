internal import OrderTaking

struct Job: Sendable {
  typealias Work<Value> = @Sendable (JournalStorage) throws -> Value

  enum Kind {
    case read
    case write
    /// A write that must survive a power failure.
    case syncedWrite
  }

  let kind: Kind
  let run: Work<@Sendable () -> Void>
  let fail: @Sendable (JournalError) -> Void

  init<Value: Sendable>(
    _ kind: Kind, _ work: @escaping Work<Value>, _ complete: @escaping @Sendable (Result<Value, JournalError>) -> Void
  ) {
    self.kind = kind
    run = { storage in
      let value = try work(storage)
      return { complete(.success(value)) }
    }
    fail = { complete(.failure($0)) }
  }
}
