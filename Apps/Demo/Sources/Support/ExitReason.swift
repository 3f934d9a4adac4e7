internal import Arguments
internal import Terminal

/// Why the command ended, as the number that it leaves behind: the one table for all of its subcommands.
///
/// A number is never used for two things, so that a script which looks at it need not know which subcommand has run.
enum ExitReason: Int32, Error, Sendable, CaseIterable {
  case success = 0
  case other = 1

  // Servers, and what they send.
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
  case violation = 30

  // Pages and pictures.
  case noBrowser = 40
  case cannotLoad = 41
  case notFound = 42
  case crashed = 43
  case differs = 44
  case unreadable = 45

  // The tour.
  case stationFailed = 50

  // What the system's own conventions say: `EX_USAGE`, and 128 with a signal's number.
  case usage = 64
  case hungUp = 129
  case interrupted = 130
  case quit = 131
  case terminated = 143

  /// What it means, as a part of a sentence.
  var summary: String {
    switch self {
    case .success: "all went well"
    case .other: "something else went wrong"
    case .unreachable: "the server cannot be reached"
    case .status: "the server answered with another status than expected"
    case .malformedList: "the list is not JSON of the expected form"
    case .incompleteBird: "a bird has no name or no picture"
    case .picture: "a bird's picture could not be had or read"
    case .timedOut: "a request or a page took too long"
    case .cannotSave: "a file, or what was to be printed, could not be written"
    case .noTerminal: "there is no terminal"
    case .cannotListen: "a port to listen at cannot be had"
    case .declined: "the server declined the order"
    case .rejected: "the server refused the request"
    case .unknown: "the order may be yours, and nobody knows yet"
    case .notSent: "nothing reached the server in time"
    case .key: "the server does not take the idempotency key"
    case .journal: "the journal cannot be read or written"
    case .violation: "an invariant does not hold in a simulated world"
    case .noBrowser: "there is no browser, or it does not start"
    case .cannotLoad: "the page cannot be loaded"
    case .notFound: "the page lacks what was asked for"
    case .crashed: "the page or the browser crashed"
    case .differs: "the pictures that were compared differ"
    case .unreadable: "a picture to compare cannot be read"
    case .stationFailed: "a station of the tour failed; the report says which, and why"
    case .usage: "the command line is wrong"
    case .hungUp: "the terminal was closed"
    case .interrupted: "Ctrl-C"
    case .quit: "Ctrl-\\"
    case .terminated: "asked to end by another process"
    }
  }

  /// The number for the system.
  var exitCode: ExitCode { ExitCode(rawValue) }

  /// A line of a table: the number, and what it means.
  var line: String {
    let number = "\(rawValue)"
    return String(repeating: " ", count: 5 - number.count) + number + "  " + summary
  }

  /// The table of a command, for its help: what any command may end with, and these.
  static func table(_ reasons: ExitReason...) -> String {
    table(of: [.success, .other, .cannotSave, .usage, .hungUp, .interrupted, .quit, .terminated] + reasons)
  }

  /// The table of all commands.
  static var table: String { table(of: allCases) }

  private static func table(of reasons: [ExitReason]) -> String {
    (["Exit codes:"] + allCases.filter(reasons.contains).map(\.line)).joined(separator: "\n")
  }
}

extension ExitReason {
  /// How a command ends that cannot print: a reader that has seen enough is fine.
  init(_ error: TerminalError) {
    switch error.kind {
    case .closed: self = .success
    case .notATerminal: self = .noTerminal
    default: self = .cannotSave
    }
  }
}
