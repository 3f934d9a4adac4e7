internal import Arguments
internal import Foundation
internal import OrderTaking
internal import Terminal
internal import WebSnapshotting

/// What `demo tour` was asked to do.
struct TourOptions: Sendable {
  var fast: Bool
  var output: FolderPath?
  var seed: UInt64?
  var json: Bool
  var quiet: Bool
  var color: ColorChoice
}

/// The shell around the tour: makes what stations use, shows how far it is, writes the report, and leaves nothing else behind.
struct TourCommand {
  private let options: TourOptions
  private let output = TerminalDevice.standardOutput
  private let errors = TerminalDevice.standardError

  init(_ options: TourOptions) {
    self.options = options
  }

  /// Does what was asked for, and says with which status to end.
  func run() async -> ExitCode {
    let signal = Locked<ExitReason?>(nil)
    let task = Task { await tour() }
    let interrupt = Interrupt(on: [.interrupted, .hungUp, .terminated]) { reason in
      signal.withLock { $0 = reason }
      task.cancel()
    }
    defer { withExtendedLifetime(interrupt) {} }
    let reason = await task.value
    return (reason == .interrupted ? signal.withLock { $0 } ?? reason : reason).exitCode
  }

  private func tour() async -> ExitReason {
    let file = TourReportFile(folder: options.output?.path)
    do {
      try file.check()
      let result = try await visitAll(TourPlan(fast: options.fast, seed: options.seed ?? 1))
      let report = try file.write(TourReport(result: result).html)
      show(result, report)
      return result.exitReason
    } catch is CancellationError {
      return fail(.interrupted, "Interrupted. Nothing was left behind.")
    } catch let error as TourReportError {
      return fail(.cannotSave, error.description)
    } catch let error as WebError {
      return fail(ExitReason(error), "\(error) Or leave the browser out: demo tour --fast.")
    } catch {
      return fail(.other, "\(error)")
    }
  }

  /// Visits the stations, with a folder and a browser that are gone when this returns.
  private func visitAll(_ plan: TourPlan) async throws -> TourResult {
    let folder = FileManager.default.temporaryDirectory.appending(path: "demo-tour-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let browser = plan.usesBrowser ? Browser(Self.browserOptions) : nil
    let progress = TourProgress(on: options.quiet ? nil : errors)
    defer { progress.finish() }
    do {
      // Before all else: a tour that must fail for want of a browser fails at once.
      try await browser?.start()
      let clock = ContinuousClock()
      let start = clock.now
      let world = TourWorld(folder: folder, browser: browser, seed: plan.seed)
      let (json, output) = (options.json, output)
      let runner = TourRunner(
        visit: world.visit, now: { start.duration(to: clock.now) },
        tell: { event in
          progress.show(event)
          if json { try? output.write(TourText.json(event) + "\n") }
        })
      let result = try await runner.run(plan)
      await browser?.close()
      return result
    } catch {
      await browser?.close()
      throw Task.isCancelled ? CancellationError() : error
    }
  }

  /// Root gets no sandbox, and needs none here: all pages are the tour's own.
  private static var browserOptions: Browser.Options {
    var options = Browser.Options(environment: nil)
    if geteuid() == 0 { options.sandbox = .off }
    return options
  }

  private func show(_ result: TourResult, _ report: String) {
    let color = options.color.capability(of: output)
    let lines: [String]
    if options.json {
      lines = [TourText.json(result, report: report)]
    } else if options.quiet {
      lines = [report]
    } else {
      let style = Style(foreground: .ansi(result.failed.isEmpty ? .green : .red), attributes: .bold)
      lines =
        TourText.table(result, width: output.isTerminal ? output.size().columns : nil)
        + ["", style.applied(to: result.sentence, color: color), "Report: \(report)"]
    }
    // Whoever has read enough does not change how the tour went.
    try? output.write(lines.joined(separator: "\n") + "\n")
    for stop in result.failed {
      if case .failure(let failure) = stop.outcome { _ = fail(.stationFailed, "\(stop.station.title): \(failure)") }
    }
  }

  private func fail(_ reason: ExitReason, _ message: String) -> ExitReason {
    let lines = "Error: \(message)".split(separator: "\n", omittingEmptySubsequences: false)
    try? errors.write(lines.map { String($0).truncated(toColumns: .max) }.joined(separator: "\n") + "\n")
    return reason
  }
}
