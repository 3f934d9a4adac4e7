import Foundation
import ImageSnapshotting
import TestSupport
import Testing

@Suite("Command snapshot compare")
struct CompareCommandTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "compare-\(UUID())")

  /// Runs the command in a folder with a picture, a copy, two changed versions and a text file.
  private func run(_ arguments: String) async throws -> (DemoProcess.Outcome, diff: Image?) {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let white = try #require(Image(width: 50, height: 40, filledWith: .white))
    let changed = white.masked([Image.Rect(x: 10, y: 20, width: 4, height: 2)])
    let near = white.masked([white.bounds], with: Image.Pixel(red: 254, green: 254, blue: 254))
    for (name, picture) in [("old", white), ("same", white), ("new", changed), ("near", near)] {
      try picture.pngData().write(to: folder.appending(path: "\(name).png"))
    }
    try Data("no picture".utf8).write(to: folder.appending(path: "text.png"))
    let outcome = try await DemoProcess.bash("cd '\(folder.path)'; \"$demo\" snapshot compare \(arguments)")
    return (outcome, (try? Data(contentsOf: folder.appending(path: "diff.png"))).flatMap { try? Image(png: $0) })
  }

  @Test("compare describes and marks a difference, and exits with code 44")
  func differentPictures() async throws {
    let (outcome, diff) = try await run("old.png new.png -o diff.png")
    #expect(outcome.status == 44)
    #expect(
      outcome.output == """
        8 of 2000 pixels differ (0.4 %); the largest ΔE is 100 at (10, 20). They are within 4×2 at (10, 20).
        Wrote diff.png.

        """)
    #expect(diff?[10, 20] == Image.Pixel(red: 230, green: 0, blue: 40))
  }

  @Test("compare --json prints the same result with the same exit codes")
  func jsonOutput() async throws {
    let (outcome, diff) = try await run("old.png new.png -o diff.png --json")
    #expect(outcome.status == 44 && diff != nil)
    #expect(
      outcome.output == """
        {"changedPixels":8,"comparedPixels":2000,"matches":false,"output":"diff.png",\
        "regions":[{"height":2,"width":4,"x":10,"y":20}],"summary":"8 of 2000 pixels differ (0.4 %); the largest ΔE is \
        100 at (10, 20). They are within 4×2 at (10, 20)."}

        """)
    let same = try await run("old.png same.png --json").0
    #expect(same.status == 0 && same.output == #"{"matches":true,"summary":"The files are identical."}"# + "\n")
    let both = try await run("old.png new.png --json -o -").0
    #expect(both.status == 64 && both.output == "" && both.errors.contains("both write to standard output"))
  }

  @Test("compare exits with code 0 if pictures are equal or within the requested precision")
  func matchingPictures() async throws {
    let same = try await run("old.png same.png -o diff.png")
    #expect(same.0.status == 0 && same.0.output == "The files are identical.\n" && same.diff == nil)
    let near = try await run("old.png near.png --perceptual-precision 0.98")
    #expect(near.0.status == 0 && near.0.output == "The pictures match.\n")
    #expect(try await run("old.png new.png --precision 0.99").0.status == 0)
    #expect(try await run("old.png near.png").0.status == 44)
  }

  @Test("compare -o - writes the marked picture to standard output and the description to standard error")
  func standardOutput() async throws {
    let (outcome, _) = try await run("old.png new.png -o - | od -An -c -j1 -N3")
    #expect(outcome.output.split(whereSeparator: \.isWhitespace) == ["P", "N", "G"])
    #expect(outcome.errors.hasPrefix("8 of 2000 pixels differ"))
  }

  @Test("compare exits with code 45 for an unreadable file and with code 16 for an unwritable one")
  func fileErrors() async throws {
    let absent = try await run("old.png none.png").0
    #expect(absent.status == 45 && absent.errors.hasPrefix("Error: Cannot read none.png: "))
    let text = try await run("old.png text.png").0
    #expect(text.status == 45 && text.errors.contains("Cannot read text.png. The file is not a PNG image"))
    let folder = try await run("old.png new.png -o none/diff.png").0
    #expect(folder.status == 16 && folder.errors.hasPrefix("Error: Cannot write none/diff.png: "))
    #expect(try await run("old.png new.png --precision 2").0.status == 64)
  }

  @Test("compare takes exactly two pictures and refuses page options with code 64")
  func usageErrors() async throws {
    for (mistake, words) in [
      ("old.png", "Missing expected argument '<new>'"), ("", "Missing expected argument '<old>'"),
      ("old.png new.png near.png", "Unexpected argument 'near.png'"), ("old.png ''", "expected a file name"),
      ("old.png new.png --text", "Unknown option '--text'"), ("old.png new.png -o ''", "expected a file name"),
      ("old.png new.png --viewport 9x9", "Unknown option '--viewport'"),
    ] {
      let outcome = try await run(mistake).0
      #expect(outcome.status == 64 && outcome.errors.contains(words), "\(mistake): \(outcome.errors)")
    }
  }

  @Test("compare reads pipes, does not decode equal files, and refuses endless or oversized files")
  func inputFiles() async throws {
    #expect(try await run("<(cat old.png) new.png").0.status == 44)
    let cut = "$(head -c 40 old.png > cut.png; echo cut.png cut.png)"
    #expect(try await run(cut).0.output == "The files are identical.\n")
    let text = try await run("text.png text.png").0
    #expect(text.status == 45 && text.errors.contains("The file is not a PNG image"))
    for (source, words) in [
      ("/dev/zero", "The file is not a PNG image"), (".", "Is a directory"),
      ("$(truncate -s 300G a.png; echo a.png)", "its size is 322122547200 bytes"),
      ("<(cat old.png /dev/zero)", "it is too large"),
    ] {
      let outcome = try await run("\(source) old.png").0
      #expect(outcome.status == 45 && outcome.errors.contains(words), "\(source): \(outcome.errors)")
    }
  }

  @Test("compare writes through symbolic links and to devices, and exits with code 16 if it cannot write")
  func outputFiles() async throws {
    let (linked, diff) = try await run(
      "old.png new.png -o \"$(ln -s diff.png link.png; echo link.png)\"; test -L link.png && echo link")
    #expect(linked.output.hasSuffix("link\n") && diff != nil)
    for output in ["-o /dev/full", "> /dev/full", "-o - > /dev/full", ">&-", "-o - >&-", "-o .", "-o none/"] {
      let outcome = try await run("old.png new.png \(output)").0
      #expect(outcome.status == 16 && outcome.errors.contains("Error: Cannot write "), "\(output): \(outcome.errors)")
    }
    let same = try await run("old.png same.png > /dev/full").0
    let reason = "No space left on device. Check the destination, or redirect the output."
    #expect(same.errors == "Error: Cannot write to standard output: \(reason)\n" && same.status == 16)
  }
}
