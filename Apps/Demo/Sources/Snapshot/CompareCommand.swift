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
  var json: Bool

  init(
    old: FilePath, new: FilePath, output: FilePath?, precision: Share?, perceptualPrecision: Share?,
    ignoresAntialiasing: Bool, json: Bool
  ) throws(ValidationError) {
    guard !json || output?.path != "-" else {
      throw ValidationError("'--json' and '-o -' both write to standard output; name a file, or leave one of them out.")
    }
    (reference, self.new, self.output, self.json) = (old.path, new.path, output?.path, json)
    comparison = ImageComparison(
      precision: precision?.value ?? 1, perceptualPrecision: perceptualPrecision?.value ?? 1,
      ignoresAntialiasing: ignoresAntialiasing)
  }
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
      guard old != new || !PictureFile.isPicture(old) else { return try tell(Line("The files are the same.")) }
      let difference = options.comparison.difference(
        from: try picture(old, options.reference), to: try picture(new, options.new))
      guard let difference else { return try tell(Line("The pictures match.")) }
      if let path = options.output { try write(difference.picture, to: path) }
      _ = try tell(Line(difference, output: options.output))
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
      if path == "-" { try output.write(file) } else { try OutputFile.write(file, to: path) }
    } catch let error as OutputFile.Failure {
      throw Failure(kind: .cannotSave, message: error.message(to: path))
    } catch let error as TerminalError {
      if error.kind != .closed { throw Failure(kind: .cannotSave, message: "\(error)") }
    } catch {
      throw Failure(kind: .other, message: "\(error)")
    }
  }

  /// Says what came of it to whom the picture is not sent.
  private func tell(_ line: Line) throws(Failure) -> ExitCode {
    let text = options.json ? jsonLine(line) : line.text
    do throws(TerminalError) {
      try (options.output == "-" ? errors : output).write(text + "\n")
    } catch {
      // Whoever read this has seen enough.
      guard error.kind != .closed, options.output != "-" else { return .success }
      throw Failure(kind: .cannotSave, message: "\(error)")
    }
    return .success
  }
}

/// What came of a comparison, as it is told.
private struct Line: Encodable {
  struct Region: Encodable { let x: Int, y: Int, width: Int, height: Int }

  let matches: Bool
  let summary: String
  var changedPixels: Int?
  var comparedPixels: Int?
  var regions: [Region]?
  /// The file in which it is marked what differs.
  var output: String?

  /// They match.
  init(_ summary: String) {
    (matches, self.summary) = (true, summary)
  }

  init(_ difference: ImageDifference, output: String?) {
    (matches, summary) = (false, difference.description)
    (changedPixels, comparedPixels) = (difference.changedPixels, difference.comparedPixels)
    regions = difference.regions.map { Region(x: $0.x, y: $0.y, width: $0.width, height: $0.height) }
    self.output = output == "-" ? nil : output
  }

  var text: String { summary + (output.map { "\nWrote \($0)." } ?? "") }
}
