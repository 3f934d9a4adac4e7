internal import Foundation
internal import OrderTakingClients
internal import OrderTakingDispatch
internal import OrderTakingJournal

/// The place where a server stores its orders.
public enum OrderStorage: Hashable, Sendable {
  /// The orders are lost when the server closes.
  case memory
  /// An SQLite file, which is created if it does not exist.
  ///
  /// A write returns after its data is on the disk. The file is locked while the server is open. A server that opens it again has
  /// the requested orders with their drivers, keys and pushes, and the orders of ``OrderServer/offer(_:)``. It makes a pending
  /// decision at its time.
  case file(String)
}

/// The storage as functions, which a server calls one at a time, on a thread that may wait for the disk.
struct OrderStore: Sendable {
  struct Contents {
    /// The name of the numbering of pushes; `nil` in an empty store.
    var epoch: String?
    var orders: [ServedOrder] = []
  }

  var load: @Sendable () throws -> Contents
  /// Stores all orders or none before it returns.
  ///
  /// An order replaces the stored one of the same name.
  var save: @Sendable (_ orders: [ServedOrder], _ epoch: String) throws -> Void

  static let memory = OrderStore(load: { Contents() }, save: { _, _ in })

  /// Returns the cause of an error and the next step.
  static func explanation(of error: any Error) -> String {
    guard let refusal = error as? Database.Refusal else { return "\(error)" }
    return "\(refusal.isBusy ? "it is already open" : refusal.message). \(refusal.nextStep)"
  }

  static func open(_ storage: OrderStorage) throws -> OrderStore {
    guard case .file(let path) = storage else { return .memory }
    let file = try OrderFile(at: path)
    return OrderStore(load: { try file.load() }, save: { try file.save($0, $1) })
  }
}

/// An open and locked file with one table.
///
/// Its keys are `epoch`, and `order/` with the name of each order.
///
/// `@unchecked Sendable`: the server uses it on one queue.
private final class OrderFile: @unchecked Sendable {
  private let database: Database

  init(at path: String) throws {
    database = try Database(at: path)
    try database.execute("PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
    let tables = try database.query("SELECT name FROM sqlite_schema WHERE type = 'table'").flatMap(\.self)
    guard tables.isEmpty || tables == [.text("order_server")] else {
      throw StorageProblem(description: "another program wrote it. Use another file.")
    }
    try database.execute(
      """
      PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
      CREATE TABLE IF NOT EXISTS order_server (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT
      """)
  }

  func load() throws -> OrderStore.Contents {
    var contents = OrderStore.Contents()
    for row in try database.query("SELECT key, value FROM order_server ORDER BY key") {
      guard case .text(let key) = row[0], case .text(let value) = row[1] else { continue }
      if key.utf8.elementsEqual("epoch".utf8) {
        contents.epoch = value
      } else {
        guard let order = try? JSONDecoder().decode(ServedOrder.self, from: Data(value.utf8)) else {
          throw StorageProblem(description: "an order in it cannot be read. Use another file.")
        }
        contents.orders.append(order)
      }
    }
    return contents
  }

  func save(_ orders: [ServedOrder], _ epoch: String) throws {
    try database.execute("BEGIN IMMEDIATE")
    do {
      try write("epoch", epoch)
      for order in orders { try write("order/\(order.offer.id)", Wire.json(order)) }
      try database.execute("COMMIT")
    } catch {
      try? database.execute("ROLLBACK")
      throw error
    }
  }

  private func write(_ key: String, _ value: String) throws {
    _ = try database.query("INSERT OR REPLACE INTO order_server VALUES (?, ?)", [.text(key), .text(value)])
  }
}

/// A cause and a next step.
struct StorageProblem: Error, CustomStringConvertible {
  let description: String
}
