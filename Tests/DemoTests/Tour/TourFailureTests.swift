import Foundation
import TestSupport
import Testing

@testable import Demo

@Suite("Failures of the tour", .timeLimit(.minutes(5)))
final class TourFailureTests: Sendable {
  /// The value of `TMPDIR` for the tour's processes.
  private let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  private var remains: [String] { temporary.contents }

  /// Runs a line of Bash in the temporary folder, with that folder as `TMPDIR`.
  private func bash(_ line: String) async throws -> DemoProcess.Outcome {
    try await DemoProcess.bash("export TMPDIR='\(temporary.path)'; cd \"$TMPDIR\"; \(line)")
  }

  @Test(
    "failed stations are reported even if the report cannot be written, and determine the exit code",
    arguments: ["", "--json"])
  func failedStationsAndReport(option: String) async throws {
    // Limits the size of files to 8 kB.
    let outcome = try await bash("trap '' XFSZ; ulimit -f 8; \"$demo\" tour --fast -o new/report \(option)")
    #expect(outcome.status == 50, "\(outcome)")
    #expect(
      outcome.errors.contains("Error: Cannot write the report to new/report: File too large. Give another folder"))
    #expect(outcome.errors.contains("Error: Order with faults: "))
    let last = outcome.output.split(separator: "\n").last
    #expect(
      last?.contains(option.isEmpty ? " stations failed in " : #"{"event":"done","failed":["order","crash"]"#) == true)
    #expect(remains == [])
  }

  @Test("a tour whose report cannot be written prints its whole result and exits with code 16")
  func unwritableReport() async throws {
    let outcome = try await bash("trap '' XFSZ; ulimit -f 100; \"$demo\" tour --fast")
    #expect(outcome.status == 16 && outcome.output.contains("7 stations passed"), "\(outcome)")
    let quiet = try await bash("trap '' XFSZ; ulimit -f 100; \"$demo\" tour --fast --quiet")
    #expect(quiet.status == 16 && quiet.output == "", "prints nothing, not even an empty line: \(quiet)")
    #expect(outcome.errors.contains("Error: Cannot write the report to ") && !outcome.output.contains("Report:"))
    #expect(remains == [])
  }

  @Test("a tour that cannot print names its report on standard error and exits with code 16")
  func unwritableOutput() async throws {
    let outcome = try await bash("\"$demo\" tour --fast --quiet > /dev/full")
    #expect(outcome.status == 16, "\(outcome)")
    let place = try #require(outcome.errors.firstMatch(of: /Error: Cannot write to standard output: .* Report: (.*)\n/))
    #expect(FileManager.default.fileExists(atPath: String(place.1)) && remains.count == 1, "\(outcome)")
  }

  @Test("a file that is not a tour report is never replaced, and the tour does not start")
  func foreignFileIsNotReplaced() async throws {
    for (make, reason) in [
      ("mkdir -p r/index.html", "its index.html is not a file"),
      ("rm -rf r; mkdir r; echo mine > r/index.html", "its index.html is not a report of a tour"),
    ] {
      let outcome = try await bash("\(make); \"$demo\" tour --fast -o r")
      #expect(outcome.status == 16 && outcome.output == "", "\(outcome)")
      #expect(outcome.errors == "Error: Cannot write the report to r: \(reason). Give another folder with -o.\n")
    }
    #expect(try String(contentsOf: URL(filePath: temporary.file("r/index.html")), encoding: .utf8) == "mine\n")
  }

  @Test("the next tour replaces the report, also through a symbolic link")
  func reportIsReplaced() async throws {
    let outcome = try await bash(
      """
      mkdir r other; ln -s ../other/page.html r/index.html
      "$demo" tour --fast -q -o r && "$demo" tour --fast -q -o r && [[ -L r/index.html && -s other/page.html ]]
      """)
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
  }

  @Test(
    "an unusable folder for temporary files is named in the error with a suggestion",
    arguments: ["/dev/null", "/no/such"])
  func invalidTemporaryFolder(path: String) async throws {
    let outcome = try await DemoProcess.bash("TMPDIR=\(path) \"$demo\" tour --fast -o '\(temporary.path)'")
    #expect(outcome.status == 16 && outcome.output == "", "\(outcome)")
    #expect(outcome.errors.hasPrefix("Error: Cannot write temporary files to \(path): "))
    #expect(outcome.errors.hasSuffix(". Set TMPDIR to a writable folder.\n"))
    #expect(!FileManager.default.fileExists(atPath: "/no"))
  }

  @Test("a tour removes the files of tours that have ended, but no files of running tours or of others")
  func leftoversAreRemoved() async throws {
    let (dead, alive) = ("demo-tour-\(UUID().uuidString)", "demo-tour-\(UUID().uuidString)")
    for name in [dead, alive, "demo-tour-notes", "demo-tour-report-1234"] {
      try FileManager.default.createDirectory(
        at: URL(filePath: temporary.file(name + "/inner")), withIntermediateDirectories: true)
    }
    let lock = open(temporary.file(alive), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(lock) }
    try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let outcome = try await bash("\"$demo\" tour --fast -q -o report")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(remains == [alive, "demo-tour-notes", "demo-tour-report-1234", "report"].sorted())
  }

  #if os(Linux)
    @Test(
      "a tour whose servers run out of file descriptors ends at once and names the limit", arguments: [24, 26, 30])
    func fewDescriptors(limit: Int) async throws {
      let outcome = try await bash("ulimit -n \(limit); SWIFT_BACKTRACE=enable=no \"$demo\" tour --fast -q")
      // Dispatch crashes without output when it gets no descriptor for itself. With enough descriptors, the tour passes.
      guard outcome.status > 0 else { return }
      #expect(outcome.status == 50 && outcome.errors.contains("Raise the limit with 'ulimit -n'."), "\(outcome)")
      #expect(!outcome.errors.contains("within") && !outcome.errors.contains("nothing accepts"), "\(outcome)")
    }
  #endif

  @Test("the station of parallel requests uses its limit of concurrent requests")
  func requestLimit() async throws {
    let visit = try await TourContext(folder: URL(filePath: temporary.path), browser: nil, seed: 1).parallel()
    #expect(visit.summary == "24 requests, at most 4 at a time; the faster of two won")
  }
}
