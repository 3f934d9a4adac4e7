internal import Arguments
internal import Foundation
internal import OrderTaking
internal import Terminal
internal import WebSnapshotting

struct TourOptions: Sendable {
  var fast: Bool
  var output: FolderPath?
  var seed: UInt64?
  var json: Bool
  var quiet: Bool
  var color: ColorChoice
}

/// `demo tour`: visits the stations, prints the results and writes the report.
struct TourCommand {
  private let options: TourOptions
  private let output = TerminalDevice.standardOutput
  private let errors = TerminalDevice.standardError

  init(_ options: TourOptions) {
    self.options = options
  }

  func run() async -> ExitCode {
    let folder = TourFolder()
    let (beginning, begin) = AsyncStream.makeStream(of: Void.self)
    let ended = DispatchSemaphore(value: 0)
    let task = Task {
      for await _ in beginning {}
      defer { ended.signal() }
      return await tour(in: folder)
    }
    let hurry: @Sendable () -> Void = {
      folder.remove()
      // The browser and the child process end with this process. Give them time to end first.
      _ = ended.wait(timeout: .now() + 3)
    }
    let interrupt = Interrupt(within: Self.limitOfCleaning, hurry: hurry) { task.cancel() }
    defer { withExtendedLifetime(interrupt) {} }
    // Start only after the signal handlers are installed.
    begin.finish()
    return await task.value.exitCode
  }

  /// The time limit for an interrupted station.
  private static let limitOfCleaning = Duration.seconds(20)

  private func tour(in folder: TourFolder) async -> ExitReason {
    let file = TourReportFile(folder: options.output?.path)
    do {
      try Task.checkCancellation()
      try file.check()
      let unprinted = Locked<TerminalError?>(nil)
      let result = try await visitAll(TourPlan(fast: options.fast, seed: options.seed ?? 1), in: folder, unprinted)
      return tell(
        result, Result { () throws(TourReportError) in try file.write(TourReport(result: result).html) }, unprinted)
    } catch is CancellationError {
      return fail(.interrupted, "Interrupted. All temporary files were removed.")
    } catch let error as TourReportError {
      return fail(.cannotSave, error.description)
    } catch let error as WebError {
      return fail(ExitReason(error), "\(error) Or run the tour without a browser: demo tour --fast")
    } catch {
      return fail(.other, "\(error)")
    }
  }

  /// Visits the stations with a temporary folder and a browser, and removes both.
  private func visitAll(
    _ plan: TourPlan, in place: TourFolder, _ unprinted: Locked<TerminalError?>
  ) async throws -> TourResult {
    let folder = try place.make()
    defer { place.remove() }
    let browser = plan.usesBrowser ? Browser(Self.browserOptions) : nil
    let progress = TourProgress(on: options.quiet ? nil : errors)
    defer { progress.finish() }
    do {
      // First, so that a tour without a browser fails at once.
      try await browser?.start()
      let clock = ContinuousClock()
      let start = clock.now
      let world = TourContext(folder: folder, browser: browser, seed: plan.seed)
      let json = options.json
      let runner = TourRunner(
        visit: world.visit, now: { start.duration(to: clock.now) },
        tell: { event in
          progress.show(event)
          if json { print(TourText.json(event), unprinted) }
        })
      let result = try await runner.run(plan)
      await browser?.close()
      return result
    } catch {
      await browser?.close()
      throw Task.isCancelled ? CancellationError() : error
    }
  }

  /// The browser's options.
  ///
  /// Root cannot use the sandbox. It is safe to omit: the tour opens only its own pages.
  private static var browserOptions: Browser.Configuration {
    var options = Browser.Configuration()
    if geteuid() == 0 { options.sandbox = .off }
    return options
  }

  /// Prints the results and the errors; a failed station determines the exit code.
  private func tell(
    _ result: TourResult, _ report: Result<String, TourReportError>, _ unprinted: Locked<TerminalError?>
  ) -> ExitReason {
    let text = text(of: result, try? report.get())
    if !text.isEmpty { print(text, unprinted) }
    var reason = ExitReason.success
    if let error = unprinted.withLock({ $0 }) {
      // The path was not printed, so add it to the error.
      let place = (try? report.get()).map { " Report: \($0)" } ?? ""
      reason = fail(ExitReason(error), "\(error)\(place)")
    }
    if case .failure(let error) = report { reason = fail(.cannotSave, error.description) }
    for stop in result.failed {
      if case .failure(let failure) = stop.outcome {
        reason = fail(.stationFailed, "\(stop.station.title): \(failure)")
      }
    }
    return reason
  }

  /// Prints a text and stores the first error, unless the reader closed the pipe.
  private func print(_ text: String, _ unprinted: Locked<TerminalError?>) {
    do throws(TerminalError) {
      try output.write(text + "\n")
    } catch {
      unprinted.withLock { first in
        if first == nil, error.kind != .closed { first = error }
      }
    }
  }

  private func text(of result: TourResult, _ report: String?) -> String {
    let color = options.color.capability(of: output)
    let lines: [String]
    if options.json {
      lines = [TourText.json(result, report: report)]
    } else if options.quiet {
      lines = [report].compactMap(\.self)
    } else {
      let style = Style(foreground: .ansi(result.failed.isEmpty ? .green : .red), attributes: .bold)
      lines =
        TourText.table(result, width: output.isTerminal ? output.size().columns : nil)
        + ["", style.applied(to: result.sentence, color: color)] + (report.map { ["Report: \($0)"] } ?? [])
    }
    return lines.joined(separator: "\n")
  }

  private func fail(_ reason: ExitReason, _ message: String) -> ExitReason {
    let lines = "Error: \(message)".split(separator: "\n", omittingEmptySubsequences: false)
    try? errors.write(lines.map { String($0).truncated(toColumns: .max) }.joined(separator: "\n") + "\n")
    return reason
  }
}
