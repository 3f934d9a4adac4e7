import Foundation
import SnapshotStore
import Terminal
import Testing

@testable import Snapshots

@Suite("Reviewing pending snapshots") struct ReviewTests {
  private let project: Project
  private var review: Review

  init() throws {
    let project = try Project()
    self.project = project
    review = Review(
      try (0..<3).map { try project.leave("new", over: "old", of: "Tests/\($0).txt", test: "page\($0)()") })
  }

  private mutating func press(_ keys: String) -> Review.Effect? {
    keys.reduce(nil) { _, key in review.handle(KeyPress(.character(key)), pageRows: 10) }
  }

  private func names(_ decision: Review.Decision) -> [String] { review.snapshots(decision).map(\.label) }

  private mutating func lines(_ old: String = "a\nx", _ new: String = "a\ny", columns: Int = 80, rows: Int = 9)
    -> [String]
  {
    lines(
      .success(Difference(from: Data(old.utf8), to: Data(new.utf8), pathExtension: "txt")), columns: columns, rows: rows
    )
  }

  private mutating func lines(_ difference: Result<Difference, SnapshotError>, columns: Int, rows: Int) -> [String] {
    review.draw(difference, TerminalSize(columns: columns, rows: rows)).text
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0[..<($0.lastIndex { $0 != " " }.map($0.index(after:)) ?? $0.startIndex)]) }
  }

  @Test("each key decides about the current snapshot and shows the next one") mutating func decisions() {
    #expect(press("a") == nil && review.index == 1)
    #expect(press("r") == nil && review.index == 2)
    #expect(press("s") == nil && review.isAtEnd)
    #expect(names(.accepted) == ["0.txt"] && names(.rejected) == ["1.txt"] && names(.skipped) == ["2.txt"])
  }

  @Test("A accepts all snapshots without a decision") mutating func acceptAll() {
    #expect(press("rA") == nil && review.isAtEnd)
    #expect(names(.accepted) == ["1.txt", "2.txt"] && names(.rejected) == ["0.txt"])
    #expect(press("u") == nil && review.index == 1 && names(.accepted).isEmpty)
  }

  @Test("undo takes back the last decision and shows its snapshot") mutating func undo() {
    _ = press("aru")
    #expect(names(.accepted) == ["0.txt"] && names(.rejected).isEmpty && review.index == 1)
    #expect(press("uuu") == nil && names(.accepted).isEmpty)
  }

  @Test("after the last snapshot, the decisions wait for Enter and can be taken back") mutating func end() {
    #expect(press("ara") == nil && review.isAtEnd)
    #expect(
      lines(columns: 50, rows: 5) == [
        " The decisions of this review:", " 2 accepted", " 1 rejected", "",
        " Enter apply  u undo  ? help  Ctrl-C discard",
      ])
    #expect(press("arsA") == nil && review.isAtEnd)
    #expect(review.handle(KeyPress(.enter), pageRows: 10) == .finish)
    #expect(press("u") == nil && !review.isAtEnd && review.index == 2 && names(.accepted) == ["0.txt"])
    #expect(press("s") == nil && review.handle(KeyPress(.left), pageRows: 10) == nil && review.index == 2)
  }

  @Test("a decided snapshot shows its decision, and s takes it back") mutating func corrected() {
    _ = press("a")
    _ = review.handle(KeyPress(.left), pageRows: 10)
    #expect(lines()[0] == " 1/3  accepted  changed  A.page0()  0.txt")
    #expect(press("s") == nil && names(.accepted).isEmpty && review.index == 1)
    #expect(press("A") == nil && names(.accepted) == ["1.txt", "2.txt"] && names(.skipped) == ["0.txt"])
  }

  @Test("the arrows show the previous and the next snapshot, also if it is decided") mutating func arrows() {
    _ = press("ar")
    for (key, index) in [(.left, 1), (.left, 0), (.left, 0), (.right, 1), (.right, 2), (.right, 2)] as [(Key, Int)] {
      #expect(review.handle(KeyPress(key), pageRows: 10) == nil && review.index == index)
    }
    #expect(review.isAtEnd && names(.accepted) == ["0.txt"] && names(.rejected) == ["1.txt"])
  }

  @Test("the question mark shows the keys until another key") mutating func help() {
    _ = press("?")
    #expect(lines(rows: 14)[2] == " A       accept this and all undecided snapshots")
    #expect(press("a") == nil && review.index == 0 && names(.accepted).isEmpty && !review.showsHelp)
  }

  @Test("q ends the review with its decisions, and Ctrl-C without them") mutating func ends() {
    #expect(press("aq") == .finish && press("z") == nil)
    #expect(review.handle(KeyPress(.character("c"), .control), pageRows: 10) == .cancel)
  }

  @Test("a narrow terminal shows the test first, and the lines one below the other") mutating func narrow() {
    #expect(
      lines() == [
        " 1/3  changed  A.page0()  0.txt", " Tests/0.txt, Tests/A.swift:3", "@@ −1,2 +1,2 @@", "  a", "− x", "+ y", "",
        "",
        " a accept  r reject  s skip  A accept all  u undo  q apply  ? help",
      ])
  }

  @Test("a wide terminal shows the old and the new lines side by side") mutating func wide() {
    let lines = lines("a\nx\nz", "a\ny\nw\nz", columns: 110, rows: 12)
    #expect(lines[3].hasPrefix("  a") && lines[3].dropFirst(55).hasPrefix("  a"))
    #expect(lines[4].hasPrefix("− x") && lines[4].dropFirst(55).hasPrefix("+ y"))
    #expect(lines[5].hasPrefix("     ") && lines[5].dropFirst(55).hasPrefix("+ w"))
  }

  @Test("a long line is broken, and one that fits into a row is not broken by columns") mutating func longLines() {
    let long = String(repeating: "a ", count: 12)
    #expect(
      lines(long + "x", long + "y", columns: 20, rows: 10)[3...6] == [
        "− a a a a a a a a a", "  a a a x", "+ a a a a a a a a a", "  a a a y",
      ])
    let row = String(repeating: "48 ", count: 26)
    #expect(lines(row + "x", row + "y", columns: 110, rows: 10)[3...4] == ["− \(row)x", "+ \(row)y"])
  }

  @Test("a very long line is broken into rows of the width of the terminal, with wide characters and tabs")
  mutating func veryLongLine() {
    let long = String(repeating: "漢a\t", count: 20_000)
    let lines = lines("a", long, columns: 20, rows: 8)
    #expect(lines[3...5] == ["− a", "+ 漢a    漢a    漢a", "     漢a    漢a"])
  }

  @Test("the difference scrolls up to its last line") mutating func scroll() {
    let texts = (0..<20).map { "\($0)" }
    let (old, new) = (texts.joined(separator: "\n"), texts.map { $0 + "!" }.joined(separator: "\n"))
    _ = review.handle(KeyPress(.down), pageRows: 10)
    #expect(lines(old, new)[2] == "− 0" && review.scroll == 1)
    for _ in 0..<9 { _ = review.handle(KeyPress(.pageDown), pageRows: 10) }
    #expect(lines(old, new)[6] == "+ 19!" && review.scroll == 36)
    _ = review.handle(KeyPress(.pageUp), pageRows: 40)
    #expect(review.scroll == 0)
  }

  @Test("a tiny terminal shows what fits") mutating func tiny() {
    for (columns, rows) in [(0, 0), (1, 1), (10, 3), (40, 4)] {
      let difference = Difference(from: Data("a".utf8), to: Data("b".utf8), pathExtension: "txt")
      let screen = review.draw(.success(difference), TerminalSize(columns: columns, rows: rows))
      #expect(screen.columns == columns && screen.rows == rows)
    }
  }

  @Test("a snapshot that cannot be read shows the reason") mutating func problem() {
    #expect(lines(.failure(SnapshotError("Cannot read it.")), columns: 80, rows: 9)[2] == " Cannot read it.")
  }
}
