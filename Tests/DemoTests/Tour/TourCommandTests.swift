import Foundation
import TestSupport
import Testing

@Suite("Command tour", .timeLimit(.minutes(5)))
struct TourCommandTests {
  /// The working directory and the value of `TMPDIR` of the tours.
  private let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  private func tour(_ line: String) async throws -> DemoProcess.Outcome {
    try await DemoProcess.bash("export TMPDIR='\(temporary.path)'; cd \"$TMPDIR\"; \(line)")
  }

  @Test("the tour runs every station and leaves only its report")
  func wholeTour() async throws {
    let outcome = try await tour(#""$demo" tour"#)
    #expect(outcome.status == 0, "\(outcome)")
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("Station ") == true && lines.filter { $0.contains("  ok  ") }.count == 8)
    #expect(lines.contains { $0.contains(#/^8 stations passed in \d+\.\d+ s\.$/#) })
    let report = try #require(lines.last?.dropFirst("Report: ".count))
    #expect(report.hasPrefix(temporary.path + "/demo-tour-report-") && report.hasSuffix("/index.html"))
    #expect(temporary.contents.count == 1, "\(temporary.contents)")
    let page = try String(contentsOf: URL(filePath: String(report)), encoding: .utf8)
    let counts = ["<section ", "<img ", "<table "].map { page.components(separatedBy: $0).count - 1 }
    #expect(counts == [8, 16, 3])
    #expect(outcome.errors.hasPrefix("1/8 Birds over HTTP\n2/8 Parallel requests\n"))
  }

  @Test("a fast tour starts no browser, and replaces the report of an earlier tour")
  func fastTour() async throws {
    let line = #"WEB_SNAPSHOTTING_BROWSER=/none "$demo" tour --fast --quiet -o a/b"#
    for _ in 0..<2 {
      let outcome = try await tour(line)
      #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
      #expect(outcome.output.hasSuffix("a/b/index.html\n"))
    }
    #expect(temporary.contents == ["a"])
  }

  @Test("without a browser, the tour suggests an installation or --fast")
  func noBrowser() async throws {
    let outcome = try await tour(#"PATH=/none "$demo" tour -o report"#)
    #expect(outcome.status == 1 && outcome.output == "" && outcome.errors.contains("Install Chromium or Chrome"))
    #expect(outcome.errors.hasSuffix("Or run the tour without a browser: demo tour --fast\n"))
    #expect(temporary.contents == ["report"])
    #expect(try await tour(#"PATH=/none "$demo" tour"#).status == 1)
    #expect(temporary.contents == ["report"])
  }

  @Test("a file that is not a report is never replaced, and the tour does not start")
  func foreignFile() async throws {
    let outcome = try await tour(#"mkdir r; echo mine > r/index.html; "$demo" tour --fast -o r"#)
    #expect(outcome.status == 1 && outcome.output == "")
    #expect(
      outcome.errors.hasSuffix("r/index.html is not a report of a tour. Give another folder with -o.\n"), "\(outcome)")
    #expect(try String(contentsOf: URL(filePath: temporary.file("r/index.html")), encoding: .utf8) == "mine\n")
  }

  @Test(
    "a tour that Ctrl-C ends at any station leaves no process and no temporary file",
    arguments: ["Birds over HTTP", "Order with faults", "Order with a crash", "Two apps in a browser", "Simulations"])
  func interruptedTour(station: String) async throws {
    // A fast machine may finish the tour before the signal. Then the next tour is interrupted.
    var outcome: ChildProcess.Outcome
    repeat {
      let demo = try ChildProcess(
        "/bin/bash", ["-c", #"exec "$0" tour -o "$TMPDIR/report" 2>&1"#, ChildProcess.path(besideTests: "demo")],
        environment: ["PATH": "/usr/bin:/bin", "TMPDIR": temporary.path])
      while let line = await demo.line(), !line.hasSuffix(station) {}
      demo.send(SIGINT)
      outcome = await demo.outcome()
    } while outcome.status == 0
    #expect(outcome.status == 130 && outcome.output.hasSuffix("Error: Interrupted.\n"), "\(outcome)")
    #expect(temporary.contents == ["report"])
    #expect(!RunningProcess.all.contains { $0.environment.contains("TMPDIR=\(temporary.path)") })
  }
}

/// A running process, from `/proc`, for tests that no process is left running.
struct RunningProcess {
  /// The environment at the start of the process, each variable as `NAME=value`.
  let environment: [String]

  /// All running processes whose environment this user may read; empty on systems without `/proc`, such as macOS.
  static var all: [RunningProcess] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.filter { Int32($0) != nil }.compactMap { name in
      FileManager.default.contents(atPath: "/proc/\(name)/environ").map { data in
        RunningProcess(environment: data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
      }
    }
  }
}
