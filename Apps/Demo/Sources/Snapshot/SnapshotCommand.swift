internal import Arguments
internal import Foundation
internal import Snapshotting
internal import Terminal
internal import WebSnapshotting

/// Runs `demo snapshot`: starts the browser, captures the page, closes the browser, and writes the result.
struct SnapshotCommand {
  private let options: SnapshotOptions
  private let browser = Browser()
  private let output = TerminalDevice.standardOutput
  private let errors = TerminalDevice.standardError

  init(_ options: SnapshotOptions) {
    self.options = options
  }

  func run() async -> ExitCode {
    do throws(OutputFile.Failure) {
      // Checked first, to fail before the browser starts.
      try OutputFile.check(options.output)
    } catch {
      report(error.message(to: options.output))
      return ExitReason.cannotSave.exitCode
    }
    let interrupts = InterruptHandler()
    defer { withExtendedLifetime(interrupts) {} }
    let captured: Result<Data, any Error>
    do {
      captured = .success(try await interrupts.cancelling { try await capture() })
    } catch {
      captured = .failure(error)
    }
    // Closed before the output, since a slow reader may block it.
    await browser.close()
    return finish(captured)
  }

  private func finish(_ captured: Result<Data, any Error>) -> ExitCode {
    do {
      try write(try captured.get())
      return .success
    } catch let error as Interrupted {
      report(error.description)
      return ExitReason.interrupted.exitCode
    } catch let error as WebError {
      let hint = error.kind == .timedOut ? " Set the time limit with --timeout." : ""
      report(error.description + hint + keepRemains(of: error))
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
    if let path = options.output {
      try OutputFile.write(data, to: path)
      removeRemains(of: path)
    }
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

  /// Writes the attachments of an error to a folder beside the output.
  ///
  /// Returns a sentence about it.
  private func keepRemains(of error: WebError) -> String {
    guard let path = options.output, !error.attachments.isEmpty, !isDevice(path) else { return "" }
    let folder = URL(filePath: path + ".failed", directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for attachment in error.attachments {
        try attachment.data.write(to: folder.appending(path: attachment.name), options: .atomic)
      }
      return " Diagnostic files are in \(path).failed."
    } catch {
      return ""
    }
  }

  /// Removes the diagnostic files of an earlier failure, and their folder if it is empty then.
  private func removeRemains(of path: String) {
    for name in ["picture.png", "document.html", "console.txt", "browser-stderr.txt"] {
      try? FileManager.default.removeItem(atPath: "\(path).failed/\(name)")
    }
    rmdir("\(path).failed")
  }

  /// Whether the path is not a regular file.
  ///
  /// A folder cannot be created beside a device such as `/dev/null`.
  private func isDevice(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  private func report(_ message: String) {
    // The page's texts may contain escape sequences: `truncated` removes them.
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    try? errors.write("Error: " + lines.map { String($0).truncated(toColumns: .max) }.joined(separator: "\n") + "\n")
  }
}
