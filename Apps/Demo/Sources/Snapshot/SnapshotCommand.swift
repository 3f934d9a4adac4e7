internal import Arguments
internal import Foundation
internal import Snapshotting
internal import Terminal
internal import WebSnapshotting

/// The shell around a capture: starts the browser, shows how far it is, writes what comes of it, and ends the browser.
struct SnapshotCommand {
  private let options: SnapshotOptions
  private let browser = Browser()
  private let output = TerminalDevice.standardOutput
  private let errors = TerminalDevice.standardError

  init(_ options: SnapshotOptions) {
    self.options = options
  }

  /// Does what was asked for, and says with which status to end.
  func run() async -> ExitCode {
    do throws(OutputFile.Failure) {
      // Before a browser is started for nothing.
      try OutputFile.check(options.output)
    } catch {
      report(error.message(to: options.output))
      return ExitReason.cannotSave.exitCode
    }
    let desk = InterruptDesk()
    defer { withExtendedLifetime(desk) {} }
    let captured: Result<Data, any Error>
    do {
      captured = .success(try await desk.cancelling { try await capture() })
    } catch {
      captured = .failure(error)
    }
    // Whoever takes his time to read keeps no browser.
    await browser.close()
    return finish(captured)
  }

  /// Writes what was captured, or says why nothing was.
  private func finish(_ captured: Result<Data, any Error>) -> ExitCode {
    do {
      try write(try captured.get())
      return .success
    } catch let error as Interrupted {
      report(error.description)
      return ExitReason.interrupted.exitCode
    } catch let error as WebError {
      report(error.description + keepRemains(of: error))
      return ExitReason(error).exitCode
    } catch let error as OutputFile.Failure {
      report(error.message(to: options.output))
      return ExitReason.cannotSave.exitCode
    } catch let error as TerminalError {
      if error.kind != .closed { report("\(error)") }
      return ExitReason(error).exitCode
    } catch {
      report("\(error)")
      return ExitReason.other.exitCode
    }
  }

  private func capture() async throws -> Data {
    let starting = ProgressLine("Browser", on: options.quiet ? nil : errors)
    starting.expect(1)
    do {
      defer { starting.finish() }
      try await browser.start()
      starting.step()
    }
    let loading = ProgressLine("Page", on: options.quiet ? nil : errors)
    loading.expect(1)
    defer { loading.finish() }
    let data =
      switch options.format {
      case .picture: try await browser.png(of: options.page)
      case .dom: Data(try await browser.dom(of: options.page).utf8)
      case .text: Data((try await browser.text(of: options.page) + "\n").utf8)
      }
    loading.step()
    return data
  }

  private func write(_ data: Data) throws {
    if let path = options.output { try OutputFile.write(data, to: path) }
    guard options.json else {
      guard let path = options.output else { return try output.write(data) }
      return try output.write("Wrote \(path), \(data.count) bytes.\n")
    }
    struct Line: Encodable { let page: String, format: String, bytes: Int, output: String?, content: String? }
    let line = Line(
      page: options.address, format: "\(options.format)", bytes: data.count, output: options.output,
      content: options.output == nil ? String(decoding: data, as: UTF8.self) : nil)
    try output.write(jsonLine(line) + "\n")
  }

  /// Writes what was there when a capture failed beside the output, and says so.
  private func keepRemains(of error: WebError) -> String {
    guard let path = options.output, !error.attachments.isEmpty, !isDevice(path) else { return "" }
    let folder = URL(filePath: path + ".failed", directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for attachment in error.attachments {
        try attachment.data.write(to: folder.appending(path: attachment.name), options: .atomic)
      }
      return " What was there is in \(path).failed."
    } catch {
      return ""
    }
  }

  /// Whether something is there that is no regular file, beside which there is no place for a folder.
  private func isDevice(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  private func report(_ message: String) {
    // A page has a say in the message: no escape sequence reaches the terminal.
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    try? errors.write("Error: " + lines.map { String($0).truncated(toColumns: .max) }.joined(separator: "\n") + "\n")
  }
}
