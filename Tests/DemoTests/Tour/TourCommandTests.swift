import Foundation
import Testing

@Suite("demo tour", .timeLimit(.minutes(5)))
final class TourCommandTests: Sendable {
  /// What the tour's processes take for the system's folder of temporary files.
  let temporary: URL

  init() throws {
    temporary = FileManager.default.temporaryDirectory.appending(path: "tour-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: temporary)
  }

  /// Bash, for a tour with a folder of temporary files of its own.
  private func tour(_ arguments: String, variables: String = "") async throws -> DemoProcess.Outcome {
    try await DemoProcess.bash("export TMPDIR='\(temporary.path)' \(variables); exec \"$demo\" tour \(arguments)")
  }

  private var remains: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: temporary.path)) ?? []).sorted()
  }

  @Test("goes everywhere, tells each station, and leaves a report and nothing else")
  func whole() async throws {
    let outcome = try await tour("")
    #expect(outcome.status == 0, "\(outcome)")
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("Station ") == true && lines.filter { $0.contains("  ok  ") }.count == 8)
    #expect(lines.contains { $0.contains(#/^8 stations, all well, in \d+\.\d s\.$/#) })
    let report = try #require(lines.last?.dropFirst("Report: ".count))
    #expect(report.hasPrefix(temporary.path + "/demo-tour-report-") && report.hasSuffix("/index.html"))
    #expect(remains.count == 1, "\(remains)")
    let page = try String(contentsOf: URL(filePath: String(report)), encoding: .utf8)
    #expect(page.components(separatedBy: "<section ").count - 1 == 8)
    #expect(
      page.components(separatedBy: "<img ").count - 1 == 19 && page.components(separatedBy: "<svg ").count - 1 == 2)
    #expect(
      outcome.errors.split(separator: "\n").map(String.init) == [
        "1/8 Birds over HTTP", "2/8 Parallel requests", "3/8 An order, with faults", "4/8 A crash, and after it",
        "5/8 Two apps in a terminal", "6/8 The same in a browser", "7/8 What has changed", "8/8 Simulated worlds",
      ])
  }

  @Test("--fast starts no browser; --quiet says only where the report is; -o says where it goes")
  func fast() async throws {
    let folder = temporary.appending(path: "a/b").path
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
    #expect(outcome.errors.hasSuffix("Or leave the browser out: demo tour --fast.\n"))
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
    "ended at any station by any signal, leaves no process, port or file", .serialized,
    arguments: [
      ("birds", SIGINT, ""), ("parallel", SIGTERM, "--fast"), ("order", SIGHUP, "--fast"), ("crash", SIGINT, ""),
      ("screens", SIGTERM, ""), ("web", SIGHUP, ""), ("snapshots", SIGINT, "--fast"), ("simulation", SIGTERM, "--fast"),
    ])
  func interrupted(station: String, signal: Int32, option: String) async throws {
    let process = try DemoProcess.start(
      ["tour", "--json", "-o", temporary.appending(path: "report").path] + (option.isEmpty ? [] : [option]),
      environment: ["TMPDIR": temporary.path])
    while let line = await process.firstLine() {
      if line.contains(#""event":"began""#), line.contains(#""station":"\#(station)""#) { break }
    }
    // The browser is among them from the first station on, unless there is none.
    let before = RunningProcess.descendants(of: process.process)
    process.send(signal)
    let outcome = await process.outcome()
    #expect(outcome.status == 128 + signal, "\(outcome)")
    #expect(outcome.errors.hasSuffix("Error: Interrupted. Nothing was left behind.\n"))
    #expect(!outcome.output.contains(#""event":"done""#))
    #expect(remains == [])
    let after = RunningProcess.all
    #if os(Linux)
      #expect(!before.isEmpty || option == "--fast")
    #endif
    #expect(Set(before.map(\.identity)).isDisjoint(with: after.map(\.identity)))
    // Nor one that was started meanwhile: nobody else has this variable. Ports are in processes.
    #expect(!after.contains { $0.variables.contains("TMPDIR=\(temporary.path)") })
  }
}

/// A process of this machine, as `/proc` tells; elsewhere there are none to be seen.
private struct RunningProcess: Sendable {
  let number: Int32
  let parent: Int32
  /// When it started, in the system's ticks: numbers are used again.
  let start: String

  private init?(_ number: Int32) {
    // The name, in parentheses, may have anything in it.
    guard let text = Self.read(number, "stat"), let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 19, fields[0] != "Z", let parent = Int32(fields[1]) else { return nil }
    (self.number, self.parent, start) = (number, parent, String(fields[19]))
  }

  /// Whoever its parent is by now.
  var identity: String { "\(number) since \(start)" }

  var variables: [String] {
    Self.read(number, "environ")?.split(separator: "\0").map(String.init) ?? []
  }

  static var all: [RunningProcess] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
      .compactMap(RunningProcess.init)
  }

  static func descendants(of number: Int32) -> [RunningProcess] {
    let all = all
    var found = all.filter { $0.parent == number }
    var index = 0
    while index < found.count {
      found += all.filter { $0.parent == found[index].number }
      index += 1
    }
    return found
  }

  /// With plain reads: nothing here is worth a mapping, and a process may end meanwhile.
  private static func read(_ number: Int32, _ name: String) -> String? {
    FileManager.default.contents(atPath: "/proc/\(number)/\(name)").map { String(decoding: $0, as: UTF8.self) }
  }
}
