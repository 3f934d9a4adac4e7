// A client of `OrderTakingJournal`: an order taker that resumes the orders of the last process.

import OrderTaking
import OrderTakingJournal

struct Tour: Hashable, Sendable { var number: Int }

func journal(at path: String) throws(JournalError) -> SQLiteJournal<Tour> {
  try SQLiteJournal(
    at: path, server: "https://dispatch.example", encode: { "\($0.number)" }, decode: { Int($0).map(Tour.init) })
}

func resumed(
  at path: String, _ client: OrderHTTPClient<String, Int>
) async throws(JournalError) -> (OrderTaker<String, Int>, lost: Int?) {
  let journal = try SQLiteJournal<String>(at: path, server: "https://dispatch.example")
  let taker = OrderTaker(httpClient: client, journal: journal.journal)
  _ = try await taker.resume().get()
  return (taker, journal.recovery?.lost)
}
