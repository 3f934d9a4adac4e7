/// What can be read of a damaged file.
struct Salvage {
  private(set) var rows: [StoredRow] = []
  private(set) var lostOrders: [String] = []
  /// How many records are lost, when the file still says how many there were.
  private(set) var lost: Int?
  /// Which server the orders are of, when the file still says so.
  private(set) var server: String?

  static let selection = "SELECT id, order_id, key, body, begun_at, change, detail, checksum FROM takings"

  /// The row that a selection has found, or `nil` when it is not as it was written.
  static func row(_ values: [Database.Value]) -> StoredRow? {
    guard values.count == 8, case .text(let order) = values[1], case .text(let key) = values[2],
      case .blob(let body) = values[3], case .integer(let begunAt) = values[4], case .text(let change) = values[5],
      case .text(let detail) = values[6], case .text(let checksum) = values[7]
    else { return nil }
    let row = StoredRow(order: order, key: key, body: body, begunAt: begunAt, change: change, detail: detail)
    return row.checksum == checksum ? row : nil
  }

  /// Reads what can be read.
  ///
  /// - Parameter database: The damaged file; `nil` when it could not even be opened.
  init(from database: Database?) {
    // Of a table alone: reading a view may never end.
    guard let database, Self.hasTable(database, "takings") else { return }
    if Self.hasTable(database, "origin"),
      case .text(let text)? = (try? database.query("SELECT server FROM origin WHERE id = 1"))?.first?.first
    {
      server = text
    }
    var found: [Int64: StoredRow] = [:]
    var wrong: [Int64: String] = [:]
    func look(_ values: [Database.Value]) {
      guard case .integer(let id)? = values.first else { return }
      if let row = Self.row(values) {
        found[id] = row
      } else if values.count > 1, case .text(let order) = values[1] {
        wrong[id] = order
      }
    }
    // From both ends up to what cannot be read, and what lies between one by one. `+id` keeps SQLite from using another
    // index, which may be what is damaged.
    try? database.each(Self.selection + " NOT INDEXED ORDER BY id", [], look)
    try? database.each(Self.selection + " NOT INDEXED ORDER BY id DESC", [], look)
    let ids = Set(found.keys).union(wrong.keys)
    let last = max(ids.max() ?? 0, Self.lastID(in: database))
    for id in (1...max(1, min(last, 100_000))) where !ids.contains(id) {
      try? database.each(Self.selection + " NOT INDEXED WHERE id = ?", [.integer(id)], look)
    }
    // An order may be there twice when the index that forbids it is damaged: the later one counts.
    var byOrder: [String: StoredRow] = [:]
    for id in found.keys.sorted() { if let row = found[id] { byOrder[row.order] = row } }
    rows = byOrder.values.sorted { ($0.begunAt, $0.order) < ($1.begunAt, $1.order) }
    lostOrders = wrong.values.filter { byOrder[$0] == nil }.sorted()
    if case .integer(let tally)? = (try? database.query("SELECT takings FROM tally"))?.first?.first {
      lost = max(Int(clamping: tally) - rows.count, lostOrders.count)
    }
  }

  private static func hasTable(_ database: Database, _ name: String) -> Bool {
    let query = "SELECT 1 FROM sqlite_schema WHERE name = ? AND type = 'table' AND rootpage > 0"
    return (try? database.query(query, [.text(name)]))?.count == 1
  }

  /// The largest number that a record can have: as many as the pages of the file could hold.
  private static func lastID(in database: Database) -> Int64 {
    guard case .integer(let pages)? = (try? database.query("PRAGMA page_count"))?.first?.first else { return 0 }
    return pages * 32
  }
}
