internal import Arguments
internal import Terminal

/// The exit codes of all subcommands.
///
/// A code has one meaning, so a script does not need to know which subcommand ran.
enum ExitReason: Int32, Error, Sendable, CaseIterable {
  case success = 0
  case other = 1

  // Servers and their responses.
  case unreachable = 10
  case status = 11
  case malformedList = 12
  case incompleteBird = 13
  case picture = 14
  case timedOut = 15

  // This machine.
  case cannotSave = 16
  case noTerminal = 17
  case cannotListen = 18

  // Orders.
  case declined = 20
  case rejected = 21
  case unknown = 22
  case notSent = 23
  case key = 24
  case journal = 25
  case lostRecords = 26
  case violation = 30

  // Pages and pictures.
  case noBrowser = 40
  case cannotLoad = 41
  case notFound = 42
  case crashed = 43
  case differs = 44
  case unreadable = 45

  // Tour.
  case stationFailed = 50

  // Conventions of the system: `EX_USAGE`, and 128 plus the number of a signal.
  case usage = 64
  case hungUp = 129
  case interrupted = 130
  case quit = 131
  case terminated = 143

  var summary: String {
    switch self {
    case .success: "success"
    case .other: "other error"
    case .unreachable: "the server cannot be reached"
    case .status: "the server answered with an unexpected status"
    case .malformedList: "the list is not JSON of the expected form"
    case .incompleteBird: "a bird has no name or no picture"
    case .picture: "a picture cannot be downloaded or decoded"
    case .timedOut: "a request or a page timed out"
    case .cannotSave: "a file or the output cannot be written"
    case .noTerminal: "the command needs a terminal"
    case .cannotListen: "a local server cannot be started"
    case .declined: "the server declined the order"
    case .rejected: "the server rejected the request"
    case .unknown: "the outcome of the order is unknown"
    case .notSent: "the order did not reach the server before the time limit"
    case .key: "the server rejected the idempotency key"
    case .journal: "the journal cannot be read or written"
    case .lostRecords: "the journal has lost records"
    case .violation: "a simulation violates an invariant"
    case .noBrowser: "no browser was found, or it cannot be started"
    case .cannotLoad: "the page cannot be loaded"
    case .notFound: "the page lacks the requested element"
    case .crashed: "the page or the browser crashed"
    case .differs: "the compared pictures differ"
    case .unreadable: "a picture to compare cannot be read"
    case .stationFailed: "a station of the tour failed"
    case .usage: "the command line is invalid"
    case .hungUp: "the terminal was closed (SIGHUP)"
    case .interrupted: "interrupted with Ctrl-C (SIGINT)"
    case .quit: "ended with Ctrl-\\ (SIGQUIT)"
    case .terminated: "terminated by another process (SIGTERM)"
    }
  }

  var exitCode: ExitCode { ExitCode(rawValue) }

  var line: String {
    let number = "\(rawValue)"
    return String(repeating: " ", count: 5 - number.count) + number + "  " + summary
  }

  /// The table for the help of a command: the common codes and these.
  static func table(_ reasons: ExitReason...) -> String {
    table(of: [.success, .other, .cannotSave, .usage, .hungUp, .interrupted, .quit, .terminated] + reasons)
  }

  static var table: String { table(of: allCases) }

  private static func table(of reasons: [ExitReason]) -> String {
    (["Exit codes:"] + allCases.filter(reasons.contains).map(\.line)).joined(separator: "\n")
  }
}

extension ExitReason {
  /// The reason for a failed write.
  ///
  /// A closed reader counts as success.
  init(_ error: TerminalError) {
    switch error.kind {
    case .closed: self = .success
    case .notATerminal: self = .noTerminal
    default: self = .cannotSave
    }
  }
}
