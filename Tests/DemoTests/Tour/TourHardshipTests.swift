import Foundation
import ParallelTesting
import Testing

@testable import Demo

/// What a tour makes of full disks, of folders that are somebody else's, and of what dead tours have left.
@Suite("demo tour, where there is little room,", .timeLimit(.minutes(5)))
final class TourHardshipTests: Sendable {
  /// What the tour's processes take for the system's folder of temporary files.
  private let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  private var remains: [String] { temporary.contents }

  /// Bash, for a tour with a folder of temporary files of its own.
  private func bash(_ line: String) async throws -> DemoProcess.Outcome {
    try await DemoProcess.bash("export TMPDIR='\(temporary.path)'; cd \"$TMPDIR\"; \(line)")
  }

  @Test(
    "stations that failed are told also when the report cannot be written, and count more", arguments: ["", "--json"])
  func nothingFits(option: String) async throws {
    // No file may have more than 8 kB.
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

  @Test("a tour whose report cannot be written is told whole, and ends with 16")
  func noReport() async throws {
    let outcome = try await bash("trap '' XFSZ; ulimit -f 100; \"$demo\" tour --fast")
    #expect(outcome.status == 16 && outcome.output.contains("7 stations passed"), "\(outcome)")
    let quiet = try await bash("trap '' XFSZ; ulimit -f 100; \"$demo\" tour --fast --quiet")
    #expect(quiet.status == 16 && quiet.output == "", "not an empty line, either: \(quiet)")
    #expect(outcome.errors.contains("Error: Cannot write the report to ") && !outcome.output.contains("Report:"))
    #expect(remains == [])
  }

  @Test("a tour that cannot print says on the other channel where its report is, and ends with 16")
  func noOutput() async throws {
    let outcome = try await bash("\"$demo\" tour --fast --quiet > /dev/full")
    #expect(outcome.status == 16, "\(outcome)")
    let place = try #require(outcome.errors.firstMatch(of: /Error: Cannot write to standard output: .* Report: (.*)\n/))
    #expect(FileManager.default.fileExists(atPath: String(place.1)) && remains.count == 1, "\(outcome)")
  }

  @Test("what no tour has written is not replaced, and that is told before anything is done")
  func foreign() async throws {
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

  @Test("a report is replaced by the next one, where a link leads to")
  func again() async throws {
    let outcome = try await bash(
      """
      mkdir r other; ln -s ../other/page.html r/index.html
      "$demo" tour --fast -q -o r && "$demo" tour --fast -q -o r && [[ -L r/index.html && -s other/page.html ]]
      """)
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
  }

  @Test(
    "a folder of temporary files that is none is told by its name, with the way out",
    arguments: ["/dev/null", "/no/such"])
  func noTemporaryFolder(path: String) async throws {
    let outcome = try await DemoProcess.bash("TMPDIR=\(path) \"$demo\" tour --fast -o '\(temporary.path)'")
    #expect(outcome.status == 16 && outcome.output == "", "\(outcome)")
    #expect(outcome.errors.hasPrefix("Error: Cannot write temporary files to \(path): "))
    #expect(outcome.errors.hasSuffix(". Set TMPDIR to a writable folder.\n"))
    #expect(!FileManager.default.fileExists(atPath: "/no"))
  }

  @Test("what a dead tour has left is removed, and what a living one has, or nobody's, is not")
  func sweep() async throws {
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

  @Test("as many requests as may be are under way at a time, no more and no fewer")
  func requests() async throws {
    let visit = try await TourWorld(folder: URL(filePath: temporary.path), browser: nil, seed: 1).parallel()
    #expect(visit.summary == "24 requests, at most 4 at a time; 1 race; 1 timeout")
  }
}
