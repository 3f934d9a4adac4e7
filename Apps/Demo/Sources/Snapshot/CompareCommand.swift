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
      guard old != new || !PictureFile.isPicture(old) else { return try tell("The files are the same.") }
      let difference = options.comparison.difference(
        from: try picture(old, options.reference), to: try picture(new, options.new))
      guard let difference else { return try tell("The pictures match.") }
      if let path = options.output { try write(difference.picture, to: path) }
      let wrote = options.output.flatMap { $0 == "-" ? nil : "\nWrote \($0)." } ?? ""
      _ = try tell("\(difference)\(wrote)")
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
    do throws(PictureFile.Failure) {
      return try PictureFile.read(path)
    } catch {
      throw Failure(kind: .unreadable, message: "Cannot read \(path): \(error.reason).")
    }
  }

  private func picture(_ data: Data, _ path: String) throws(Failure) -> Image {
    do throws(PNGError) {
      return try Image(png: data)
    } catch {
      throw Failure(kind: .unreadable, message: "Cannot read \(path). \(error)")
    }
  }

  private func write(_ picture: Image, to path: String) throws(Failure) {
    do {
      let file = try picture.pngData()
      if path == "-" { try StandardOutput.write(file) } else { try OutputFile.write(file, to: path) }
    } catch {
      throw Failure(kind: .cannotSave, message: OutputFile.message(of: error, path))
    }
  }

  /// Says something to whom the picture is not sent.
  private func tell(_ message: String) throws(Failure) -> ExitCode {
    do throws(TerminalError) {
      try (options.output == "-" ? errors : output).write(message + "\n")
    } catch {
      // Whoever read this has seen enough.
      guard error.kind != .closed, options.output != "-" else { return .success }
      throw Failure(kind: .cannotSave, message: OutputFile.message(of: error, "-"))
    }
    return .success
  }
}
