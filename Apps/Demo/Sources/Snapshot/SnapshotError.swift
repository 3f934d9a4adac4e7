internal import Arguments
internal import WebSnapshotting

/// Why there is no snapshot, as an exit code.
enum SnapshotFailure: Int32, CaseIterable {
  case other = 1
  case noBrowser = 20
  case cannotLoad = 21
  case timedOut = 22
  case notFound = 23
  case crashed = 24
  case differs = 25
  case unreadable = 26
  case cannotSave = 16
  case interrupted = 130

  init(_ error: WebError) {
    self =
      switch error.kind {
      case .noBrowser, .cannotStart, .noSandbox: .noBrowser
      case .cannotLoad: .cannotLoad
      case .timedOut: .timedOut
      case .notFound: .notFound
      case .pageCrashed, .browserEnded: .crashed
      case .cancelled: .interrupted
      default: .other
      }
  }

  var summary: String {
    switch self {
    case .other: "something else went wrong"
    case .noBrowser: "there is no browser, or it does not start"
    case .cannotLoad: "the page cannot be loaded"
    case .timedOut: "the page took too long"
    case .notFound: "the page lacks what was asked for"
    case .crashed: "the page or the browser crashed"
    case .differs: "the pictures that were compared differ"
    case .unreadable: "a picture to compare cannot be read"
    case .cannotSave: "the snapshot could not be written"
    case .interrupted: "Ctrl-C"
    }
  }

  var exitCode: ExitCode { ExitCode(rawValue) }

  /// The exit codes, for help.
  static let exitCodeTable =
    "Exit codes: 0 all went well; 64 the command line is wrong; "
    + allCases.sorted { $0.rawValue < $1.rawValue }.map { "\($0.rawValue) \($0.summary)" }.joined(separator: "; ") + "."
}
