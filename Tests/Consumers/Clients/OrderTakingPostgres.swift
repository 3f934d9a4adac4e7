// A client of `OrderTakingPostgres`: a worker that resumes the orders of workers that have ended.

import OrderTaking
import OrderTakingPostgres

struct Tour: Hashable, Sendable { var number: Int }

func worker(_ connection: String, _ client: OrderHTTPClient<Tour, Int>) async throws(JournalError) -> PostgresJournal {
  var configuration = PostgresConfiguration(connection)
  configuration.lease = .seconds(60)
  _ = try await PostgresJournal.migrate(configuration).get()
  let worker = try await PostgresJournal.open(configuration, wake: { print("Orders may be due.") }).get()
  for driver in try await worker.driversToResume().get() { print(driver) }
  print(try await PostgresJournal.workload(configuration).get().dueCount)
  let journal = worker.journal(of: "driver 7", encode: { "\($0.number)" }, decode: { Int($0).map(Tour.init) })
  let taker = OrderTaker<Tour, Int>(httpClient: client, journal: journal)
  while try await !taker.resume().get().isEmpty {}
  return worker
}

func cancel(_ order: String, _ worker: PostgresJournal) async throws(JournalError) -> Bool {
  try await worker.requestCancel(order, of: "driver 7").get()
}
