import Futures
import OrderTaking
import Testing

/// The time since 1970 at which the rules begin.
let start = Moment.current.sinceEpoch

/// Returns a record of an operation that began `age` seconds before the rules.
func record(
  _ order: OrderID, age: Int = 0, key: UInt64 = 1, body: [UInt8] = [], _ checkpoint: TakingCheckpoint = .begun,
  isDelivered: Bool = false, attempts: [TakingAttempt] = []
) -> TakingRecord {
  TakingRecord(
    intent: TakingIntent(order: order, key: IdempotencyKey(high: .max, low: key), body: body),
    begunAt: start - .seconds(age), checkpoint: checkpoint, isDelivered: isDelivered, attempts: attempts)
}

/// Returns a record for each checkpoint and outcome, with all fields.
func everyRecord(isDelivered: Bool = false) -> [TakingRecord] {
  let outcomes: [TakingOutcome] = [
    .accepted(hasDetails: true), .accepted(hasDetails: false), .declined(reason: "late, ünd 'quoted'; DROP\0\\u0000\n"),
    .rejected(status: 404), .cancelled, .expired, .redirected(to: "https://other.example/?a=b#c"), .keyMismatch,
    .keyExpired, .unrecorded, .discarded(reason: ""), .unknown(.cancelled), .unknown(.expired),
    .unknown(.refused(status: 403)), .unknown(.journal), .unknown(.fenced),
  ]
  let checkpoints = [.begun, .acknowledged, .accepted] + outcomes.map { TakingCheckpoint.ended($0) }
  return checkpoints.enumerated().map { index, checkpoint in
    let attempts = (0..<index % 9).map { number in
      TakingAttempt(
        worker: "worker \(number)", startedAt: start - .nanoseconds(number), lastChangeAt: start, requestCount: number,
        lastError: number == 1 ? "no route; 'host' \u{1F69A}" : nil)
    }
    var record = record(
      Name(index), body: (0...255).map { UInt8($0) }, checkpoint,
      isDelivered: isDelivered && index > 2, attempts: attempts)
    if index % 2 == 0 {
      record.lastPutAt = Moment(sinceEpoch: .nanoseconds(-1), sinceBoot: .nanoseconds(Int64.max), boot: .max)
    }
    return record
  }
}

func store(_ record: TakingRecord, _ driver: DriverID, _ storage: JournalStorage) async throws {
  let journal = storage.journal(driver)
  try await journal.write(record).get()
  journal.release(record.intent.order)
}

/// Returns the due records of a driver, and releases their orders.
func dueRecords(of driver: DriverID, _ storage: JournalStorage) async throws -> [TakingRecord] {
  let journal = storage.journal(driver)
  let records = try await journal.dueRecords(1_000, []).get()
  for record in records { journal.release(record.intent.order) }
  return records
}

func expectFailure<Value>(of future: Future<Value, JournalError>, sourceLocation: SourceLocation = #_sourceLocation)
  async
{
  await #expect(throws: JournalError.self, sourceLocation: sourceLocation) { _ = try await future.get() }
}
