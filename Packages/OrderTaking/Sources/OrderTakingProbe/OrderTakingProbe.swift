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

/// A process for the tests of the journal to kill: takes order after order, and says what it does.
///
/// usage: OrderTakingProbe JOURNAL FIRST take|untold|resume
///
/// It resumes what it finds, then takes orders from `FIRST` on, for ever. With `untold` it takes twelve, and tells nobody
/// how they end; with `resume` it takes none. Each line is written at once: `open`, `put ORDER KEY` when a PUT would go out,
/// `end ORDER` when the operation has ended, `untold` when one has and the news goes nowhere, and `resumed` when all that was
/// resumed is over and noted.
@main
enum OrderTakingProbe {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let first = Int(arguments[2]) else {
      say("error: Cannot read the arguments: expected JOURNAL FIRST take|untold|resume. Pass all of them.")
      exit(64)
    }
    let journal = try SQLiteJournal<Int>(at: arguments[1])
    say("open")
    var deliver = immediateExecutionContext
    if arguments[3] == "untold" { deliver = { _ in say("untold") } }
    let taker = OrderTaker(httpClient: client, journal: journal.journal, policy: .deck, deliveringOn: deliver)
    let resumed = try taker.resume()
    for resumed in resumed { announce(resumed.future, of: resumed.order) }
    switch arguments[3] {
    case "untold": for order in first..<first + 12 { taker.take(order) }
    case "resume":
      while try journal.journal.records().contains(where: \.needsResuming) { sched_yield() }
      say("resumed")
    // Four at a time.
    default: for start in 0..<4 { takeEvery(fourthFrom: first + start, with: taker) }
    }
    dispatchMain()
  }

  /// A server in memory: a third is accepted by the PUT, the others by the first GET.
  private static var client: HTTPClient<Int, Int> {
    HTTPClient(
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

  /// Writes a line in one system call, so that it is there whole or not at all.
  private static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
  }
}
