internal import Arguments
internal import Foundation
internal import Terminal
internal import WebSnapshotting

/// `demo tour`: runs the stations, prints their results and writes the report.
struct TourCommand: DemoCommand {
  let fast: Bool
  let output: String?
  let seed: UInt64
  let quiet: Bool

  static let declaration = Command<any DemoCommand>(
    "tour",
    abstract: "Run all packages in less than a minute, and write a report with pictures.",
    discussion: """
      The tour uses real servers, files, processes and a browser. It loads birds, takes orders despite faults and a crash, runs \
      two apps in a terminal and in the browser, finds differences in snapshots, and runs simulations. The report is one page, \
      index.html, in the folder given with -o or in a new temporary folder.
      """,
    examples: [
      CommandExample("demo tour", "Run the whole tour."),
      CommandExample("demo tour --fast", "Run the stations that need no browser."),
      CommandExample("demo tour -o report --seed 7", "Write report/index.html, and use another random seed."),
    ],
    output: { (fast: Bool, output: NonEmptyText?, seed: UInt64?, quiet: Bool) in
      TourCommand(fast: fast, output: output?.text, seed: seed ?? 1, quiet: quiet)
    }
  ) {
    Flag("fast", help: "Skip everything that needs a browser.")
    Option<NonEmptyText?>(
      "output", short: "o", valueName: "dir", help: "Write the report to this folder.", completion: .directory)
    CommonOptions.seed
    CommonOptions.quiet
  }

  func run() async throws -> ExitCode {
    let temporary = FileManager.default.temporaryDirectory
    let folder = temporary.appending(path: "demo-tour-\(UUID())")
    let reports = output.map { URL(filePath: $0) } ?? temporary.appending(path: "demo-tour-report-\(UUID())")
    let page = reports.appending(path: "index.html")
    defer {
      try? FileManager.default.removeItem(at: folder)
      // Removes only an empty folder, which a tour without a report leaves.
      if output == nil { rmdir(reports.path) }
    }
    try Self.writing(page) {
      for folder in [folder, reports] {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      }
    }
    if let old = try? Data(contentsOf: page), old.range(of: Data(TourReport.generator.utf8)) == nil {
      throw DemoError("\(page.path) is not a report of a tour.", next: "Give another folder with -o.")
    }
    let start = ContinuousClock.now
    let stops = try await visitAll(in: folder)
    let report = TourReport(stops: stops, time: start.duration(to: .now), seed: seed, isFast: fast)
    try Self.writing(page) { try Data(report.html.utf8).write(to: page, options: .atomic) }
    try show(report, page)
    return report.failed.isEmpty ? .success : .failure
  }

  private static func writing(_ page: URL, _ work: () throws -> Void) throws(DemoError) {
    do { try work() } catch {
      throw DemoError(
        "Cannot write \(page.path) or a temporary file: \(error.localizedDescription)",
        next: "Give another folder with -o, or set TMPDIR to a writable folder.")
    }
  }

  /// Runs the stations, with a browser unless the tour is fast.
  private func visitAll(in folder: URL) async throws -> [TourStop] {
    guard !fast else { return try await visitAll(TourContext(folder: folder, browser: nil, seed: seed)) }
    return try await Browser(Self.browserOptions).use { browser in
      // First, so that a tour without a browser fails at once.
      do { _ = try await browser.text(of: WebPage(html: "")) } catch {
        try Task.checkCancellation()
        throw DemoError("\(error)", next: "Or run the tour without a browser: demo tour --fast")
      }
      return try await visitAll(TourContext(folder: folder, browser: browser, seed: seed))
    }
  }

  /// Root cannot use the sandbox.
  ///
  /// It is safe to omit: the tour opens only its own pages.
  private static var browserOptions: Browser.Configuration {
    // The pinned fonts lack emoji and Japanese.
    var options = Browser.Configuration(fonts: .system)
    if geteuid() == 0 { options.isSandboxed = false }
    return options
  }

  /// Runs all stations in order, also after one has failed.
  private func visitAll(_ context: TourContext) async throws -> [TourStop] {
    let stations = Station.all.filter { !fast || !$0.needsBrowser }
    var stops: [TourStop] = []
    for (index, station) in stations.enumerated() {
      Output(quiet: quiet).note("\(index + 1)/\(stations.count) \(station.title)")
      let start = ContinuousClock.now
      let outcome: Result<TourVisit, DemoError>
      do {
        outcome = .success(try await station.run(context))
      } catch {
        outcome = .failure(error as? DemoError ?? DemoError("\(error)"))
      }
      try Task.checkCancellation()
      stops.append(TourStop(station: station, time: start.duration(to: .now), outcome: outcome))
    }
    return stops
  }

  private func show(_ report: TourReport, _ page: URL) throws {
    for stop in report.failed {
      if case .failure(let failure) = stop.outcome { Output().warn("Error: \(stop.station.title): \(failure)") }
    }
    guard !quiet else { return try Output().line(page.path) }
    let device = TerminalDevice.standardOutput
    try Output().lines(report.table(width: device.isTerminal ? device.size().columns : nil))
    let style = Style(foreground: .ansi(report.failed.isEmpty ? .green : .red), attributes: .bold)
    try device.write("\n\(style.applied(to: report.sentence, color: device.colorCapability()))\n")
    try Output().line("Report: \(page.path)")
  }
}
