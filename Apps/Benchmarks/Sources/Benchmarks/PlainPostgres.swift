import CPostgres
import Foundation
import OrderTakingPostgres

/// The statements of takings, one after the other on blocking connections of libpq.
enum PlainPostgres {
  /// Performs the statements of takings on several connections, each with a thread.
  static func take(_ count: Int, connections: Int) async {
    let connections = await connected(connections)
    let size = count / connections.count
    await withTaskGroup { group in
      for connection in connections {
        let orders = PostgresLoad.newOrders(size)
        group.addTask {
          // On a thread of its own, so that it blocks no other task.
          await withCheckedContinuation { continuation in
            Thread.detachNewThread {
              for order in orders { connection.take(order) }
              continuation.resume()
            }
          }
        }
      }
    }
  }

  private static let all = Task { () -> [Connection] in
    let address = await PostgresLoad.server.value.connection
    return (0..<32).map { _ in Connection(address) }
  }

  private static func connected(_ count: Int) async -> ArraySlice<Connection> { await all.value.prefix(count) }
}

/// A connection, which lives as long as the process.
///
/// `@unchecked Sendable`: one thread at a time uses it.
private final class Connection: @unchecked Sendable {
  private let handle: OpaquePointer?
  private var prepared: Set<String> = []

  init(_ address: String) {
    handle = PQconnectdb(address)
    precondition(PQstatus(handle) == CONNECTION_OK, "Cannot connect to PostgreSQL")
  }

  /// Claims an order, writes that it begins, its acceptance and its end, records its delivery, and notifies the workers.
  func take(_ order: Int) {
    let (name, driver) = (Parameter.text("plain"), "plain")
    let lease = Parameter.integer(30_000_000)
    let claimed = run(.claim, [name, .text(driver), .text("\(order)"), lease])
    let fence = PQgetvalue(claimed, 0, 0).map { value in
      UnsafeRawBufferPointer(start: value, count: 8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }
    PQclear(claimed)
    let (drivers, orders, fences) = (
      Parameter.texts([driver]), Parameter.texts(["\(order)"]), Parameter.integers([fence])
    )
    let text = String(order, radix: 16)
    let key = Parameter.texts([String(repeating: "0", count: 32 - text.count) + text])
    for change in ["begun", "accepted", "ended accepted"] {
      let written = run(
        .write,
        [
          name, lease, drivers, orders, fences, key, .blobs([JournalLoad.body]), .texts([change]), .texts([""]),
          .integers([1]), .integers([1]), .integers([1]), .integers([1]), .flags([false]),
        ])
      precondition(PQntuples(written) == 1)
      PQclear(written)
    }
    let acknowledged = run(
      .acknowledge, [name, drivers, orders, fences, key, .texts(["ended accepted"]), .texts([""]), .flags([true])])
    precondition(PQntuples(acknowledged) == 1)
    PQclear(acknowledged)
    PQclear(run(.notify, [.texts(["released \(order)"])]))
  }

  private func run(_ statement: Statement, _ parameters: [Parameter]) -> OpaquePointer? {
    let count = Int32(parameters.count)
    let isPrepared = !statement.name.isEmpty
    if isPrepared, prepared.insert(statement.name).inserted {
      PQclear(PQprepare(handle, statement.name, statement.sql, count, parameters.map(\.type)))
    }
    let fields = parameters.map(\.bytes)
    let buffer = (fields.flatMap(\.self) + [0]).map { CChar(bitPattern: $0) }
    let result = buffer.withUnsafeBufferPointer { buffer in
      var offset = 0
      let values = fields.map { field -> UnsafePointer<CChar>? in
        defer { offset += field.count }
        return buffer.baseAddress.map { $0 + offset }
      }
      let (lengths, formats) = (fields.map { Int32($0.count) }, fields.map { _ in Int32(1) })
      return isPrepared
        ? PQexecPrepared(handle, statement.name, count, values, lengths, formats, 1)
        : PQexecParams(handle, statement.sql, count, parameters.map(\.type), values, lengths, formats, 1)
    }
    precondition(PQresultStatus(result) == PGRES_TUPLES_OK, String(cString: PQerrorMessage(handle)))
    return result
  }
}
