import Foundation
import Testing

@Suite("The table of the rules") struct RulesTableTests {
  @Test("each row of the rules is the title of a test, and each test of the rules has a row") func rows() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let table = tests.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/OrderTaking/OrderTaking.docc/Rules.md")
    let rows = try String(contentsOf: table, encoding: .utf8).split(separator: "\n").compactMap { line -> String? in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return cells.count == 2 && cells[0] != "rule" && !cells[0].hasPrefix("--") ? cells[0] : nil
    }
    let names = try ["DeckRulesTests", "StandardRulesTests", "JournalRulesTests"].flatMap { file in
      let text = try String(contentsOf: tests.appending(path: "\(file).swift"), encoding: .utf8)
      return text.components(separatedBy: "@Test(").dropFirst().compactMap { test in
        test.split(separator: "\"", maxSplits: 2).dropFirst().first.map(String.init)
          .flatMap { _ in test.components(separatedBy: "\"").dropFirst().first }
      }
    }
    #expect(rows.count > 30)
    #expect(Set(rows).count == rows.count)
    #expect(rows.sorted() == names.sorted())
  }

  @Test("each threat has a test with its title") func threats() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let table = tests.deletingLastPathComponent().appending(path: "Sources/OrderTaking/OrderTaking.docc/Threats.md")
    let names = try String(contentsOf: table, encoding: .utf8).split(separator: "\n").compactMap { line -> String? in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return cells.count == 3 && cells[0] != "threat" && !cells[0].hasPrefix("--") ? cells[2] : nil
    }
    let files =
      FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
    let code = try files.filter { $0.pathExtension == "swift" }.map { try String(contentsOf: $0, encoding: .utf8) }
      .joined()
    #expect(names.count > 10)
    for name in names { #expect(code.contains("\"\(name)\""), "no test is called \(name)") }
  }
}
