import Foundation
import ImageSnapshotting
import TestSupport
import Testing

@Suite("Command snapshot compare")
struct CompareTests {
  private let folder: TemporaryFolder

  /// Creates a picture, a copy, two changed versions and a text file.
  init() throws {
    folder = try TemporaryFolder()
    let white = try #require(Image(width: 50, height: 40, filledWith: .white))
    let changed = white.masked([Image.Rect(x: 10, y: 20, width: 4, height: 2)])
    let near = white.masked([white.bounds], with: Image.Pixel(red: 254, green: 254, blue: 254))
    for (name, picture) in [("old", white), ("same", white), ("new", changed), ("near", near)] {
      try picture.pngData().write(to: URL(filePath: folder.file("\(name).png")))
    }
    try Data("no picture".utf8).write(to: URL(filePath: folder.file("text.png")))
  }

  private func run(_ arguments: String) async throws -> DemoProcess.Outcome {
    try await DemoProcess.bash("cd '\(folder.path)'; \"$demo\" snapshot compare \(arguments)")
  }

  @Test("compare describes and marks a difference, and exits with code 1")
  func differentPictures() async throws {
    let outcome = try await run("old.png new.png -o diff.png")
    #expect(outcome.status == 1 && outcome.errors.isEmpty)
    #expect(
      outcome.output == """
        8 of 2000 pixels differ (0.4 %); the largest ΔE is 100 at (10, 20). They are within 4×2 at (10, 20).
        Wrote diff.png.

        """)
    let diff = try Image(png: Data(contentsOf: URL(filePath: folder.file("diff.png"))))
    #expect(diff[10, 20] == Image.Pixel(red: 230, green: 0, blue: 40))
  }

  @Test("compare exits with code 0 if pictures are equal or within the requested precision")
  func matchingPictures() async throws {
    for arguments in [
      "old.png same.png -o diff.png", "old.png near.png --perceptual-precision 0.98",
      "old.png new.png --precision 0.99",
    ] {
      let outcome = try await run(arguments)
      #expect(outcome.status == 0 && outcome.output == "The pictures match.\n", "\(arguments): \(outcome)")
    }
    #expect(try await run("old.png near.png").status == 1)
    #expect(!folder.contents.contains("diff.png"))
  }

  @Test("compare names a file that it cannot read or write, and the next step")
  func fileErrors() async throws {
    try #require(mkfifo(folder.file("pipe"), 0o600) == 0)
    for (arguments, words) in [
      ("old.png none.png", "Cannot read none.png: "),
      ("old.png text.png", "Cannot read text.png. The file is not a PNG"),
      ("old.png new.png -o none/diff.png", "Cannot write none/diff.png: "),
      ("old.png new.png -o pipe", "Cannot write pipe: it is not a regular file."),
    ] {
      let outcome = try await run(arguments)
      #expect(outcome.status == 1 && outcome.errors.hasPrefix("Error: \(words)"), "\(arguments): \(outcome)")
    }
  }
}
