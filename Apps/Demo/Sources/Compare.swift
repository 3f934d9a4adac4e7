internal import Arguments
internal import Foundation
internal import ImageSnapshotting

/// `demo snapshot compare`: compares two pictures, and describes and marks the differences.
struct CompareCommand: DemoCommand {
  let old: String
  let new: String
  /// The file for the marked differences.
  let marked: String?
  let comparison: ImageComparison

  static let declaration = Command<any DemoCommand>(
    "snapshot", abstract: "Compare pictures.",
    subcommands: { compare })

  private static let compare = Command<any DemoCommand>(
    "compare",
    abstract: "Compare two pictures, and describe and mark the differences.",
    discussion: """
      Both files are PNG. A pixel matches when its ΔE (CIE94) is at most (1 - perceptual precision) * 100. The exit code is \
      0 if the pictures match, and 1 if they differ or cannot be read.
      """,
    examples: [
      CommandExample(
        "demo snapshot compare old.png new.png -o diff.png", "Describe the differences and mark them in diff.png."),
      CommandExample(
        "demo snapshot compare old.png new.png --perceptual-precision 0.98",
        "Ignore differences that the eye cannot see."),
    ],
    output: {
      (
        old: NonEmptyText, new: NonEmptyText, marked: NonEmptyText?, precision: Double, perceptual: Double,
        ignores: Bool
      ) throws(ValidationError) in
      for (name, value) in [("precision", precision), ("perceptual-precision", perceptual)] {
        guard (0...1).contains(value) else {
          throw ValidationError("'--\(name)' must be a number from 0 to 1, not \(value).")
        }
      }
      return CompareCommand(
        old: old.text, new: new.text, marked: marked?.text,
        comparison: ImageComparison(
          precision: precision, perceptualPrecision: perceptual, ignoringAntialiasing: ignores))
    }
  ) {
    Argument<NonEmptyText>("old", help: "The old picture.", completion: .file)
    Argument<NonEmptyText>("new", help: "The new picture.", completion: .file)
    Option<NonEmptyText?>(
      "output", short: "o", valueName: "file", help: "Write the new picture with marked differences to this file.",
      completion: .file)
    Option<Double>(
      "precision", default: 1, valueName: "share", help: "Minimum share of pixels that must match.")
    Option<Double>(
      "perceptual-precision", default: 1, valueName: "share",
      help: "Minimum similarity of two matching colours; 0.98 is as exact as the eye.")
    Flag("ignore-antialiasing", help: "Ignore differences in the smoothing of edges.")
  }

  func run() throws -> ExitCode {
    let difference = comparison.difference(from: try picture(old), to: try picture(new))
    guard let difference else {
      try Output().line("The pictures match.")
      return .success
    }
    try Output().line("\(difference)")
    if let marked {
      let kind = try? FileManager.default.attributesOfItem(atPath: marked)[.type] as? FileAttributeType
      // An atomic write would replace a device by a file.
      guard [nil, .typeRegular, .typeSymbolicLink].contains(kind) else {
        throw DemoError("Cannot write \(marked): it is not a regular file.", next: "Give another file with -o.")
      }
      do { try difference.image.pngData().write(to: URL(filePath: marked), options: .atomic) } catch {
        throw DemoError(
          "Cannot write \(marked): \(error.localizedDescription)", next: "Give another file with -o.")
      }
      try Output().line("Wrote \(marked).")
    }
    return .failure
  }

  private func picture(_ file: String) throws(DemoError) -> Image {
    do { return try Image(png: Data(contentsOf: URL(filePath: file))) } catch let error as PNGError {
      throw DemoError("Cannot read \(file).", next: "\(error)")
    } catch {
      throw DemoError("Cannot read \(file): \(error.localizedDescription)", next: "Specify two PNG files.")
    }
  }
}
