internal import Arguments
internal import Foundation
internal import ImageSnapshotting
internal import Terminal

/// What `demo snapshot compare` was asked to do.
struct CompareOptions: Sendable {
  var reference: String
  var new: String
  /// Where the picture of the difference goes; `nil` for nowhere, `-` for standard output.
  var output: String?
  var comparison: ImageComparison
}

/// Compares two pictures in files, says what differs, and marks it in a third one.
struct CompareCommand {
  private let options: CompareOptions
  private let output: TerminalDevice
  private let errors: TerminalDevice

  init(
    _ options: CompareOptions, output: TerminalDevice = .standardOutput, errors: TerminalDevice = .standardError
  ) {
    self.options = options
    self.output = output
    self.errors = errors
  }

  /// Does what was asked for, and says with which status to end.
  func run() -> ExitCode {
    do throws(Failure) {
      let (old, new) = (try file(options.reference), try file(options.new))
      guard old != new else { return tell("The files are the same.") }
      let difference = options.comparison.difference(
        from: try picture(old, options.reference), to: try picture(new, options.new))
      guard let difference else { return tell("The pictures match.") }
      try write(difference)
      return ExitReason.differs.exitCode
    } catch {
      try? errors.write("Error: \(error.message.truncated(toColumns: .max))\n")
      return error.kind.exitCode
    }
  }

  private struct Failure: Error {
    let kind: ExitReason
    let message: String
  }

  private func file(_ path: String) throws(Failure) -> Data {
    do {
      return try Data(contentsOf: URL(filePath: path))
    } catch {
      let reason = (error as? CocoaError)?.underlying?.localizedDescription ?? error.localizedDescription
      throw Failure(kind: .unreadable, message: "Cannot read \(path): \(reason). Name two PNG files.")
    }
  }

  private func picture(_ data: Data, _ path: String) throws(Failure) -> Image {
    do throws(PNGError) {
      return try Image(png: data)
    } catch {
      throw Failure(kind: .unreadable, message: "Cannot read \(path). \(error)")
    }
  }

  private func write(_ difference: ImageDifference) throws(Failure) {
    do {
      if options.output == "-" {
        try errors.write("\(difference)\n")
        try StandardOutput.write(difference.picture.pngData())
        return
      }
      if let path = options.output {
        try difference.picture.pngData().write(to: URL(filePath: path), options: .atomic)
      }
      try output.write("\(difference)\n" + (options.output.map { "Wrote \($0).\n" } ?? ""))
    } catch let error as TerminalError where error.kind == .closed {
      // Whoever read this has seen enough.
    } catch {
      let reason = (error as? CocoaError)?.underlying?.localizedDescription ?? error.localizedDescription
      throw Failure(
        kind: .cannotSave,
        message: "Cannot write \(options.output ?? "to standard output"): \(reason). Give another file.")
    }
  }

  private func tell(_ message: String) -> ExitCode {
    try? (options.output == "-" ? errors : output).write(message + "\n")
    return .success
  }
}
