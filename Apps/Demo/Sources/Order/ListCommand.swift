internal import Arguments
internal import Futures
internal import OrderTakingServerPostgres

/// `demo order list`: prints the names of open orders.
struct ListCommand: DemoCommand {
  let options: OrderOptions

  static let declaration = Command<any DemoCommand>(
    "list", abstract: "List up to 100 open orders.",
    examples: [
      CommandExample("demo order list --server http://127.0.0.1:7000", "List the open orders of this server.")
    ],
    output: { (options: OrderOptions) in ListCommand(options: options) }
  ) {
    OrderOptions.group
  }

  func run() async throws -> ExitCode {
    struct Line: Encodable { let order: String }
    let orders: [String]
    if let database = options.database, options.server == nil {
      _ = try await PostgresOrderStore.migrate(database).get()
      orders = try await PostgresOrderStore.openOrders(database, upTo: 100).get()
    } else {
      orders = try await OrderSession(options, isSilent: true).use { session in
        try await session.openOrders(attempts: 5, by: .now + .seconds(10))
      }
    }
    try options.output.lines(orders.map { options.output.json ? jsonLine(Line(order: $0)) : $0 })
    return .success
  }
}
