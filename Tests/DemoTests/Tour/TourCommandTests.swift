import Foundation
import TestSupport
import Testing

@Suite("Command tour", .timeLimit(.minutes(5)))
final class TourCommandTests: Sendable {
  /// The value of `TMPDIR` for the tour's processes.
  let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  /// Runs a tour in Bash with the temporary folder as `TMPDIR`.
  private func tour(_ arguments: String, variables: String = "") async throws -> DemoProcess.Outcome {
    try await DemoProcess.bash("export TMPDIR='\(temporary.path)' \(variables); exec \"$demo\" tour \(arguments)")
  }

  private var remains: [String] { temporary.contents }

  @Test("the tour reports every station and leaves only its report")
  func wholeTour() async throws {
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

  @Test("tour --fast starts no browser, --quiet prints only the report's path, and -o sets the folder")
  func fastTour() async throws {
    let folder = temporary.file("a/b")
    let outcome = try await tour("--fast --quiet -o '\(folder)'", variables: "WEB_SNAPSHOTTING_BROWSER=/none")
    #expect(outcome.status == 0 && outcome.errors == "")
    #expect(outcome.output == "\(folder)/index.html\n")
    #expect(remains == ["a"])
  }

  @Test("without a browser, the tour suggests an installation or --fast and exits with code 40")
  func noBrowser() async throws {
    let outcome = try await tour("", variables: "PATH=/none")
    #expect(outcome.status == 40 && outcome.output == "")
    #expect(outcome.errors.contains("Install Chromium or Chrome"))
    #expect(outcome.errors.hasSuffix("Or run the tour without a browser: demo tour --fast\n"))
    #expect(remains == [])
  }

  @Test("an unwritable report folder is reported before the first station, with code 16")
  func unwritableReport() async throws {
    let outcome = try await tour("--fast -o /dev/null/report")
    #expect(outcome.status == 16 && outcome.output == "")
    #expect(outcome.errors.hasPrefix("Error: Cannot write the report to /dev/null/report: /dev/null is not a folder."))
    #expect(remains == [])
  }

  @Test(
    "a tour that a signal ends at any station leaves no process, port or file",
    arguments: [
      ("birds", SIGINT, ""), ("parallel", SIGTERM, "--fast"), ("order", SIGQUIT, "--fast"), ("crash", SIGINT, ""),
      ("screens", SIGTERM, ""), ("web", SIGHUP, ""), ("snapshots", SIGINT, "--fast"), ("simulation", SIGTERM, "--fast"),
    ])
  func interruptedTour(station: String, signal: Int32, option: String) async throws {
    // On a slow machine the tour may end before the signal. Then the test starts another one.
    while try await !interrupts(at: station, by: signal, option) {}
  }

  /// Sends a signal to a tour when it reports the start of a station, and checks what remains.
  ///
  /// - Returns: Whether the signal arrived before the end of the tour.
  private func interrupts(at station: String, by signal: Int32, _ option: String) async throws -> Bool {
    let report = temporary.file("report")
    let process = try DemoProcess.start(
      ["tour", "--json", "-o", report] + (option.isEmpty ? [] : [option]), environment: ["TMPDIR": temporary.path])
    while let line = await process.nextLine() {
      if line.contains(#""event":"began""#), line.contains(#""station":"\#(station)""#) { break }
    }
    // The browser starts before the first station, except with --fast.
    let before = RunningProcess.descendants(of: process.process)
    process.send(signal)
    let outcome = await process.outcome()
    if outcome.output.contains(#""event":"done""#) {
      // The tour removed its signal handlers, so the signal has its default effect.
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
    // No later process remains either: only the tour's processes have this variable. Ports end with their processes.
    #expect(!after.contains { $0.environment.contains("TMPDIR=\(temporary.path)") })
    return true
  }

  #if os(Linux)
    // If that process survived the tour, it would run for two minutes.
    @Test("killing the tour also ends the process that takes its order", .timeLimit(.minutes(2)))
    func killedTour() async throws {
      // All processes of the tour inherit the pipe's writing end, so the reader ends with the last of them.
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
      // The process runs for seconds, because its first responses are simulated faults.
      try await eventually {
        RunningProcess.descendants(of: tour.processIdentifier).contains { $0.arguments.contains("take") }
      }
      tour.send(SIGKILL)
      #expect(await tour.outcome().status == -SIGKILL)
      _ = await last.outcome()
    }
  #endif
}
