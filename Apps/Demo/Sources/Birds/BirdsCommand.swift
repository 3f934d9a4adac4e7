internal import Arguments
internal import Foundation
internal import Futures
internal import Loopback
internal import Terminal

/// Runs `demo birds`: starts the server, loads the birds, prints them, and stops the server.
struct BirdsCommand {
  private let options: BirdsOptions
  private let output: TerminalDevice
  private let errors: TerminalDevice

  init(_ options: BirdsOptions, output: TerminalDevice = .standardOutput, errors: TerminalDevice = .standardError) {
    self.options = options
    self.output = output
    self.errors = errors
  }

  func run() async -> ExitCode {
    do {
      // Checked first, to fail before the download.
      if let save = options.save { try PictureFolder(path: save.path).check() }
      guard let address = options.server else {
        let acceptError = Promise<LoopbackError, Never>()
        let server = try await HTTPServer.start(BirdServer.router(), onAcceptError: { acceptError.success($0) })
        let status = await show(from: server.url, acceptError: acceptError.future)
        await server.stop(grace: .zero)
        return status
      }
      return await show(from: address.url)
    } catch let error as BirdsError {
      return report(error)
    } catch let error as LoopbackError {
      return report(BirdsError(error))
    } catch {
      return report(BirdsError(kind: .other, description: "\(error)"))
    }
  }

  /// Loads and prints the birds.
  ///
  /// - Parameter acceptError: The error of the embedded server. If there is one, it is the cause of a failed request.
  private func show(from server: URL, acceptError: Future<LoopbackError, Never>? = nil) async -> ExitCode {
    let clock = ContinuousClock()
    let start = clock.now
    let requests = RequestSession(options.tls)
    // Cancels the requests that are still in flight after a failure.
    defer { requests.close() }
    let interrupt = Interrupt(within: Interrupt.outputTimeLimit) { requests.close() }
    defer { withExtendedLifetime(interrupt) {} }

    let progress = ProgressLine("Pictures", on: options.quiet ? nil : errors)
    let list = server.appending(path: "birds")
    let loader = BirdsLoader(
      requests: requests, limit: options.timeout.duration, color: options.color.capability(of: output),
      time: { start.duration(to: clock.now) }, onList: progress.expect, onPicture: { _ in progress.step() })
    let outcome: Result<[LoadedBird], BirdsError> = await loader.birds(at: list).get()
    progress.finish()
    do {
      let birds = try outcome.mapError { error in
        guard error.kind != .interrupted, let cause = acceptError?.value else { return error }
        return BirdsError(cause)
      }.get()
      if let save = options.save { try PictureFolder(path: save.path).save(birds) }
      try print(birds, time: start.duration(to: clock.now), from: list)
      return .success
    } catch let error as BirdsError {
      return report(error)
    } catch let error as TerminalError where error.kind == .closed {
      // The reader closed the pipe: not an error.
      return .success
    } catch let error as TerminalError {
      return report(BirdsError(kind: ExitReason(error), description: "\(error)"))
    } catch {
      return report(BirdsError(kind: .other, description: "\(error)"))
    }
  }

  private func print(_ birds: [LoadedBird], time: Duration, from list: URL) throws {
    if options.json { return try output.write(BirdsReport.json(birds).map { $0 + "\n" }.joined()) }
    let columns = output.isTerminal ? output.size().columns : nil
    let color = options.color.capability(of: output)
    // A pipe or file gets pictures only with --color always.
    if color != .none, let columns = columns ?? (options.color == .always ? 80 : nil) {
      let gallery = Gallery.text(birds, columns: columns, color: color)
      if !gallery.isEmpty { try output.write(gallery + "\n\n") }
    }
    let summary = BirdsReport.summary(birds, time: time, from: list, width: columns)
    let lines = BirdsReport.table(birds, width: columns) + [""] + summary
    try output.write(lines.joined(separator: "\n") + "\n")
  }

  private func report(_ error: BirdsError) -> ExitCode {
    // Names from the server may contain escape sequences: `truncated` removes them.
    try? errors.write("Error: \(error)".truncated(toColumns: .max) + "\n")
    return error.exitCode
  }
}
