import Testing

@testable import Terminal

@Suite("Text table")
struct TextTableTests {
  private let birds = TextTable(
    [.init("Name"), .init("Size", alignment: .right), .init("Seen")],
    rows: [["Puffin", "640×480", "yes"], ["鳥", "32×32"], ["Swift\n", "1×1", "no", "extra"]])

  @Test("Columns are aligned by display width, and rows can have missing or extra cells")
  func columnsAreAligned() {
    #expect(
      birds.lines() == [
        "Name       Size  Seen", "Puffin  640×480  yes", "鳥        32×32", "Swift       1×1  no",
      ])
  }

  @Test("The widest columns of a table shrink first")
  func widestColumnsShrinkFirst() {
    #expect(
      birds.lines(width: 17) == ["Name   Size  Seen", "Puf…  640×…  yes", "鳥    32×32", "Swi…    1×1  no"])
    #expect(TextTable.shrunk([1, 10, 4], to: 9) == [1, 4, 4])
    #expect(TextTable.shrunk([5, 5], to: 1) == [1, 1])
    #expect(TextTable.shrunk([], to: -1) == [])
  }

  @Test("No line of a table is wider than the limit, for any cells", arguments: 0..<200)
  func tableKeepsToWidth(seed: Int) {
    var random = Seeded(seed)
    let columns = (0..<random.number(0...4)).map { _ in
      TextTable.Column(random.text(0...6), alignment: random.one(of: TextAlignment.allCases))
    }
    let rows = (0..<random.number(0...4)).map { _ in (0..<random.number(0...5)).map { _ in random.text(0...9) } }
    let width = random.number(-1...30)
    for line in TextTable(columns, rows: rows).lines(width: width) {
      #expect(line.displayWidth <= max(width, 0), "seed \(seed)")
      #expect(line.last != " ", "seed \(seed)")
    }
  }
}
