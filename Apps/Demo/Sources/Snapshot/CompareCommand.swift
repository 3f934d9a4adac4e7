internal import Arguments
internal import Foundation
internal import ImageSnapshotting
internal import Terminal

/// The parsed options of `demo snapshot compare`.
struct CompareOptions: Sendable {
  var reference: String
  var new: String
  /// The file for the picture of the difference; `nil` for none, `-` for standard output.
  var output: String?
  var comparison: ImageComparison
  var json: Bool

  init(
    old: FilePath, new: FilePath, output: FilePath?, precision: Share?, perceptualPrecision: Share?,
    ignoresAntialiasing: Bool, json: Bool
  ) throws(ValidationError) {
    guard !json || output?.path != "-" else {
      throw ValidationError("--json and '-o -' cannot be used together: both write to standard output.")
    }
    (reference, self.new, self.output, self.json) = (old.path, new.path, output?.path, json)
    comparison = ImageComparison(
      precision: precision?.value ?? 1, perceptualPrecision: perceptualPrecision?.value ?? 1,
      ignoringAntialiasing: ignoresAntialiasing)
  }
}

/// Compares two picture files, reports the difference, and marks it in a third picture.
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

  func run() -> ExitCode {
    do throws(Failure) {
      let (old, new) = (try file(options.reference), try file(options.new))
      guard old != new || !PictureFile.isPicture(old) else { return try tell(Line("The files are identical.")) }
      let difference = options.comparison.difference(
        from: try picture(old, options.reference), to: try picture(new, options.new))
      guard let difference else { return try tell(Line("The pictures match.")) }
      if let path = options.output { try write(difference.image, to: path) }
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

  /// Prints the result to standard output, or to standard error if the picture goes to standard output.
  private func tell(_ line: Line) throws(Failure) -> ExitCode {
    let text = options.json ? jsonLine(line) : line.text
    do throws(TerminalError) {
      try (options.output == "-" ? errors : output).write(text + "\n")
    } catch {
      // The reader closed the pipe: not an error.
      guard error.kind != .closed, options.output != "-" else { return .success }
      throw Failure(kind: .cannotSave, message: "\(error)")
    }
    return .success
  }
}

/// The printed result of a comparison.
private struct Line: Encodable {
  struct Region: Encodable { let x: Int, y: Int, width: Int, height: Int }

  let matches: Bool
  let summary: String
  var changedPixels: Int?
  var comparedPixels: Int?
  var regions: [Region]?
  /// The file with the marked differences.
  var output: String?

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
