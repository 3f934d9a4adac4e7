import Foundation
import ParallelTesting
import Testing

@Suite("demo tour", .timeLimit(.minutes(5)))
final class TourCommandTests: Sendable {
  /// What the tour's processes take for the system's folder of temporary files.
  let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  /// Bash, for a tour with a folder of temporary files of its own.
  private func tour(_ arguments: String, variables: String = "") async throws -> DemoProcess.Outcome {
    try await DemoProcess.bash("export TMPDIR='\(temporary.path)' \(variables); exec \"$demo\" tour \(arguments)")
  }

  private var remains: [String] { temporary.contents }

  @Test("goes everywhere, tells each station, and leaves a report and nothing else")
  func whole() async throws {
    let outcome = try await tour("")
    #expect(outcome.status == 0, "\(outcome)")
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("Station ") == true && lines.filter { $0.contains("  ok  ") }.count == 8)
    #expect(lines.contains { $0.contains(#/^8 stations passed in \d+\.\d s\.$/#) })
    let report = try #require(lines.last?.dropFirst("Report: ".count))
    #expect(report.hasPrefix(temporary.path + "/demo-tour-report-") && report.hasSuffix("/index.html"))
    #expect(remains.count == 1, "\(remains)")
    let page = try String(contentsOf: URL(filePath: String(report)), encoding: .utf8)
    #expect(page.components(separatedBy: "<section ").count - 1 == 8)
    #expect(
      page.components(separatedBy: "<img ").count - 1 == 19 && page.components(separatedBy: "<svg ").count - 1 == 2)
    #expect(
      outcome.errors.split(separator: "\n").map(String.init) == [
        "1/8 Birds over HTTP", "2/8 Parallel requests", "3/8 Order with faults", "4/8 Order with a crash",
        "5/8 Two apps in a terminal", "6/8 Two apps in a browser", "7/8 Snapshot differences", "8/8 Simulations",
      ])
  }

  @Test("--fast starts no browser; --quiet says only where the report is; -o says where it goes")
  func fast() async throws {
    let folder = temporary.file("a/b")
    let outcome = try await tour("--fast --quiet -o '\(folder)'", variables: "WEB_SNAPSHOTTING_BROWSER=/none")
    #expect(outcome.status == 0 && outcome.errors == "")
    #expect(outcome.output == "\(folder)/index.html\n")
    #expect(remains == ["a"])
  }

  @Test("without a browser, says at once how to get one or to do without, and ends with 40")
  func noBrowser() async throws {
    let outcome = try await tour("", variables: "PATH=/none")
    #expect(outcome.status == 40 && outcome.output == "")
    #expect(outcome.errors.contains("Install one: "))
    #expect(outcome.errors.hasSuffix("Or run the tour without a browser: demo tour --fast\n"))
    #expect(remains == [])
  }

  @Test("a report that cannot be written is told before anything is done, and ends with 16")
  func cannotWrite() async throws {
    let outcome = try await tour("--fast -o /dev/null/report")
    #expect(outcome.status == 16 && outcome.output == "")
    #expect(outcome.errors.hasPrefix("Error: Cannot write the report to /dev/null/report: /dev/null is not a folder."))
    #expect(remains == [])
  }

  @Test(
    "ended at any station by any signal, leaves no process, port or file",
    arguments: [
      ("birds", SIGINT, ""), ("parallel", SIGTERM, "--fast"), ("order", SIGQUIT, "--fast"), ("crash", SIGINT, ""),
      ("screens", SIGTERM, ""), ("web", SIGHUP, ""), ("snapshots", SIGINT, "--fast"), ("simulation", SIGTERM, "--fast"),
    ])
  func interrupted(station: String, signal: Int32, option: String) async throws {
    // A test that is held up may find its tour at the end already: then it sets out on another one.
    while try await !interrupts(at: station, by: signal, option) {}
  }

  /// Sends a signal to a tour as soon as it says that it is at a station, and looks at what it leaves.
  ///
  /// - Returns: Whether the signal was there in time; if it was not, everything was done.
  private func interrupts(at station: String, by signal: Int32, _ option: String) async throws -> Bool {
    let report = temporary.file("report")
    let process = try DemoProcess.start(
      ["tour", "--json", "-o", report] + (option.isEmpty ? [] : [option]), environment: ["TMPDIR": temporary.path])
    while let line = await process.firstLine() {
      if line.contains(#""event":"began""#), line.contains(#""station":"\#(station)""#) { break }
    }
    // The browser is among them from the first station on, unless there is none.
    let before = RunningProcess.descendants(of: process.process)
    process.send(signal)
    let outcome = await process.outcome()
    if outcome.output.contains(#""event":"done""#) {
      // With nobody left to hear a signal, it does what it does by itself.
      #expect([0, -signal].contains(outcome.status) && remains == ["report"], "\(outcome)")
      try FileManager.default.removeItem(atPath: report)
      return false
    }
    #expect(outcome.status == 128 + signal, "\(outcome)")
    #expect(outcome.errors.hasSuffix("Error: Interrupted. All temporary files were removed.\n"))
    #expect(!outcome.errors.contains("Thread 0"))
    #expect(remains == [])
    let after = RunningProcess.all
    #if os(Linux)
      #expect(!before.isEmpty || option == "--fast")
    #endif
    #expect(Set(before).isDisjoint(with: after))
    // Nor one that was started meanwhile: nobody else has this variable. Ports are in processes.
    #expect(!after.contains { $0.environment.contains("TMPDIR=\(temporary.path)") })
    return true
  }

  #if os(Linux)
    // Left to itself, that process would go on for two minutes.
    @Test("killed, takes the process with it that takes its order", .timeLimit(.minutes(2)))
    func killed() async throws {
      // All that the tour starts inherits the writing end, so whoever reads comes to an end with the last of them.
      let pipe = temporary.file("pipe")
      try #require(mkfifo(pipe, 0o600) == 0)
      let last = try ChildProcess("/bin/cat", [pipe])
      let tour = try ChildProcess(
        "/bin/bash",
        ["-c", #"exec "$0" tour --fast --json -o "$TMPDIR/report" 9> "$TMPDIR/pipe""#]
          + [ChildProcess.path(besideTests: "demo")],
        environment: ["PATH": "/usr/bin:/bin", "TMPDIR": temporary.path])
      while let line = await tour.line() {
        if line.contains(#""event":"began""#), line.contains(#""station":"order""#) { break }
      }
      // It tries for seconds, since the first answers are faults.
      try await eventually {
        RunningProcess.descendants(of: tour.processIdentifier).contains { $0.arguments.contains("take") }
      }
      tour.send(SIGKILL)
      #expect(await tour.outcome().status == -SIGKILL)
      _ = await last.outcome()
    }
  #endif
}
