import Foundation
import SnapshotStore
import Snapshotting
import Terminal
import Testing

@testable import Snapshots

@Suite("Reviewing pending snapshots") struct ReviewTests {
  private let project: Project
  private var state: ReviewState

  /// Three snapshots, of which the first and the last change alike.
  init() throws {
    project = try Project()
    let texts = [("a\nx", "a\ny"), ("b", "c"), ("d\nx", "d\ny")]
    var snapshots: [PendingSnapshot] = []
    var changes: [[String]?] = []
    for (index, (old, new)) in texts.enumerated() {
      try project.write(old, to: "Tests/\(index).txt")
      snapshots.append(try project.leave(new, over: old, of: "Tests/\(index).txt", test: "page\(index)()"))
      changes.append(Difference(from: Data(old.utf8), to: Data(new.utf8), pathExtension: "txt").changes)
    }
    state = ReviewState(snapshots, changes: changes)
  }

  private mutating func press(_ keys: String) -> ReviewState.Effect? {
    keys.reduce(nil) { _, key in state.handle(KeyPress(.character(key)), pageRows: 10) }
  }

  private func names(_ decision: ReviewState.Decision?) -> [String] { state.snapshots(decision).map(\.name) }

  @Test("each key decides about the current snapshot and shows the next one") mutating func decisions() {
    #expect(press("a") == nil && state.index == 1)
    #expect(press("r") == nil && state.index == 2)
    #expect(press("s") == nil && state.isAtEnd)
    #expect(names(.accept) == ["Tests/0.txt"] && names(.reject) == ["Tests/1.txt"] && names(nil) == ["Tests/2.txt"])
  }

  @Test("accepting all alike accepts the snapshots with the same changed lines") mutating func alike() {
    #expect(state.alikeCount == 2)
    #expect(press("A") == nil && state.index == 1)
    #expect(names(.accept) == ["Tests/0.txt", "Tests/2.txt"] && state.alikeCount == 1)
  }

  @Test("undo takes back the last decision and shows its snapshot") mutating func undo() {
    _ = press("Au")
    #expect(names(.accept).isEmpty && state.index == 0)
    _ = press("aru")
    #expect(names(.accept) == ["Tests/0.txt"] && names(.reject).isEmpty && state.index == 1)
    #expect(press("uuu") == nil && names(.accept).isEmpty)
  }

  @Test("after the last snapshot, the decisions wait for Enter and can be taken back") mutating func end() {
    #expect(press("ara") == nil && state.isAtEnd)
    let screen = ReviewScreen.draw(&state, nil, error: nil, TerminalSize(columns: 40, rows: 5))
    #expect(
      screen.text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.trimmingSuffix { $0 == " " } } == [
        " The decisions of this review:", " 2 accepted", " 1 rejected", "", " Enter apply  u undo  Ctrl-C discard",
      ])
    #expect(press("arsmo") == nil && state.isAtEnd)
    #expect(state.handle(KeyPress(.enter), pageRows: 10) == .finish)
    #expect(press("u") == nil && !state.isAtEnd && state.index == 2 && names(.accept) == ["Tests/0.txt"])
    #expect(press("s") == nil && state.isAtEnd && press("u") == nil && !state.isAtEnd && press("s") == nil)
    #expect(state.handle(KeyPress(.left), pageRows: 10) == nil && !state.isAtEnd && state.index == 2)
  }

  @Test("a decided snapshot shows its decision, and s takes it back") mutating func corrected() {
    _ = press("a")
    _ = state.handle(KeyPress(.left), pageRows: 10)
    let screen = ReviewScreen.draw(&state, nil, error: nil, TerminalSize(columns: 60, rows: 5))
    #expect(screen.text.hasPrefix(" 1/3  accepted  changed  Tests/0.txt"))
    #expect(press("s") == nil && names(.accept).isEmpty && state.index == 1)
  }

  @Test("q ends the review with its decisions, and Ctrl-C without them") mutating func ends() {
    #expect(press("aq") == .finish)
    #expect(state.handle(KeyPress(.character("c"), .control), pageRows: 10) == .cancel)
    #expect(press("o") == .open && press("z") == nil)
    #expect(state.handle(KeyPress(.character("z"), .control), pageRows: 10) == .suspend)
  }

  @Test("the difference scrolls up to its last line") mutating func scroll() {
    _ = state.handle(KeyPress(.pageDown), pageRows: 10)
    state.limitScroll(lines: 14, rows: 10)
    #expect(state.scroll == 4)
    _ = state.handle(KeyPress(.pageUp), pageRows: 10)
    #expect(state.scroll == 0)
  }

  private func difference(_ old: String, _ new: String) -> Difference {
    Difference(from: Data(old.utf8), to: Data(new.utf8), pathExtension: "txt")
  }

  @Test("a narrow terminal shows the lines one below the other") mutating func narrow() {
    let screen = ReviewScreen.draw(
      &state, difference("a\nx", "a\ny"), error: nil, TerminalSize(columns: 80, rows: 9))
    #expect(
      screen.text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.trimmingSuffix { $0 == " " } } == [
        " 1/3  changed  Tests/0.txt  A.page0()", " Tests/A.swift:3", "@@ −1,2 +1,2 @@", "  a", "− x", "+ y", "", "",
        " a accept  r reject  s skip  A accept all 2 alike  u undo  o open  q apply  Ctr…",
      ])
  }

  @Test("a wide terminal shows the old and the new lines side by side") mutating func wide() {
    let screen = ReviewScreen.draw(
      &state, difference("a\nx\nz", "a\ny\nw\nz"), error: nil, TerminalSize(columns: 120, rows: 12))
    let lines = screen.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[3].hasPrefix("  a") && lines[3].dropFirst(60).hasPrefix("  a"))
    #expect(lines[4].hasPrefix("− x") && lines[4].dropFirst(60).hasPrefix("+ y"))
    #expect(lines[5].hasPrefix("     ") && lines[5].dropFirst(60).hasPrefix("+ w"))
  }

  @Test("a tiny terminal shows what fits") mutating func tiny() {
    for (columns, rows) in [(0, 0), (1, 1), (10, 3), (40, 4)] {
      let screen = ReviewScreen.draw(
        &state, difference("a", "b"), error: nil, TerminalSize(columns: columns, rows: rows))
      #expect(screen.columns == columns && screen.rows == rows)
    }
  }

  @Test("a snapshot that cannot be read shows the reason") mutating func problem() {
    let screen = ReviewScreen.draw(&state, nil, error: "Cannot read it.", TerminalSize(columns: 80, rows: 9))
    #expect(screen.text.contains("Cannot read it."))
  }
}

extension StringProtocol {
  fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> String {
    String(self[..<(lastIndex { !isTrimmed($0) }.map(index(after:)) ?? startIndex)])
  }
}
