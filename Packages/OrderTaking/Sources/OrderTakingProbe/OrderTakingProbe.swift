import Dispatch
import Futures
import OrderTaking
import OrderTakingJournal

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A process that uses a journal, for tests that kill it.
///
/// usage: OrderTakingProbe JOURNAL MODE NUMBER
///
/// | mode | action |
/// |---|---|
/// | `take` | Resumes the operations, and takes orders from NUMBER on forever, four at a time. |
/// | `undelivered` | Takes twelve orders from NUMBER on, and delivers no outcome. |
/// | `resume` | Resumes the operations, and prints `resumed` when all outcomes are acknowledged. |
/// | `die-before`, `die-after` | Writes ten records, and kills itself around the statement NUMBER. |
/// | `limited` | Writes 100 records of 4 KB, with files of at most NUMBER bytes. |
///
/// It prints each line with one system call: `open`, `put ORDER KEY` for a PUT, `end ORDER` for a delivered outcome, `undelivered` for
/// another one, and `written ORDER` or the kind of the error for a record.
@main
enum OrderTakingProbe {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let number = Int(arguments[3]) else {
      say("error: Cannot read the arguments. Pass JOURNAL MODE NUMBER.")
      exit(64)
    }
    switch arguments[2] {
    case "die-before", "die-after":
      try await writeRecords(10, to: open(arguments[1], dyingAt: number, isBefore: arguments[2] == "die-before"))
    case "limited":
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: rlim_t(number), rlim_max: rlim_t(number))
      #if canImport(Glibc)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      #else
        setrlimit(RLIMIT_FSIZE, &limit)
      #endif
      try await writeRecords(100, to: open(arguments[1]), body: Array(repeating: 1, count: 4_000))
    default: try await take(arguments[2], number, open(arguments[1]))
    }
  }

  // MARK: Records

  private static func writeRecords(_ count: Int, to journal: SQLiteJournal<Int>, body: [UInt8] = []) async throws {
    for order in 0..<count {
      let intent = TakingIntent(order: order, key: IdempotencyKey(high: 0, low: UInt64(order)), body: body)
      let record = TakingRecord(intent: intent, begunAt: .seconds(order))
      do {
        try await journal.journal.write(record).get()
        say("written \(order)")
      } catch {
        say(error.kind.rawValue)
      }
    }
    say("done")
  }

  private static func open(
    _ path: String, dyingAt number: Int = 0, isBefore: Bool = false
  ) throws -> SQLiteJournal<Int> {
    let count = Locked(0)
    let journal = try SQLiteJournal<Int>(
      at: path, server: "http://one.example", .forever,
      hook: { _, run throws(Database.Refusal) in
        let isLast = count.withLock { count in
          count += 1
          return count == number
        }
        if isLast, isBefore { kill(getpid(), SIGKILL) }
        try run()
        if isLast { kill(getpid(), SIGKILL) }
      }, encode: { $0.description }, decode: { Int($0) })
    say("open")
    return journal
  }

  // MARK: Operations

  private static func take(_ mode: String, _ first: Int, _ journal: SQLiteJournal<Int>) async throws {
    var deliver = immediateExecutionContext
    if mode == "undelivered" { deliver = { _ in say("undelivered") } }
    let taker = OrderTaker(httpClient: client, journal: journal.journal, policy: .deck, deliveringOn: deliver)
    for resumed in try await taker.resume().get() { announce(resumed.future, of: resumed.order) }
    switch mode {
    case "undelivered": for order in first..<first + 12 { taker.take(order) }
    case "resume":
      while try await !journal.journal.openRecords().get().isEmpty { await Task.yield() }
      say("resumed")
    default: for start in 0..<4 { takeEvery(fourthFrom: first + start, with: taker) }
    }
    let end = Promise<Void, Never>()
    await end.future.get()
    withExtendedLifetime((end, taker, journal)) {}
  }

  /// A server in memory that accepts a third of the orders at the PUT, and the others at the first GET.
  private static var client: OrderHTTPClient<Int, Int> {
    OrderHTTPClient(
      take: { intent in
        say("put \(intent.order) \(intent.key)")
        return Future(value: intent.order % 3 == 0 ? .accepted : .processing)
      },
      takingOperationStatus: { _ in Future(value: .accepted) },
      acceptedOrderDetails: { order in Future(value: order) })
  }

  @Sendable
  private static func takeEvery(fourthFrom order: Int, with taker: OrderTaker<Int, Int>) {
    let future = taker.take(order)
    announce(future, of: order)
    future.onComplete(DispatchQueue.global().context) { _ in takeEvery(fourthFrom: order + 4, with: taker) }
  }

  private static func announce(_ future: Future<AcceptedOrder<Int, Int>, OrderTakingFailure>, of order: Int) {
    future.onSuccess(immediateExecutionContext) { _ in say("end \(order)") }
  }

  /// Writes a line in one system call, so that it is never incomplete.
  private static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
  }
}
