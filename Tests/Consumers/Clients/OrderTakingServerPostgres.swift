// A client of `OrderTakingServerPostgres`: a server that shares its orders with other servers.

import OrderTaking
import OrderTakingPostgres
import OrderTakingServer
import OrderTakingServerPostgres

func server(on connection: String, for credentials: Credentials) async throws -> OrderServer {
  let database = PostgresConfiguration(connection)
  _ = try await PostgresOrderStore.migrate(database).get()
  return try await OrderServer.start(
    OrderServer.Configuration(offers: [OfferedOrder("7")], credentials: credentials),
    store: PostgresOrderStore.open(database).get())
}
