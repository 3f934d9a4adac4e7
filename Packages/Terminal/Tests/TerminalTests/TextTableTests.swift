import Testing

@testable import Terminal

@Suite("Table")
struct TextTableTests {
  private let birds = TextTable(
    [.init("Name"), .init("Size", alignment: .right), .init("Seen", alignment: .center)],
    rows: [["Puffin", "640×480", "yes"], ["鳥", "32×32"], ["Swift\n", "1×1", "no", "extra"]])

  @Test("Columns are aligned by display width, rows short or long")
  func aligns() {
    #expect(
      birds.lines() == [
        "Name       Size  Seen", "Puffin  640×480  yes", "鳥        32×32", "Swift       1×1   no",
      ])
  }

  @Test("The widest columns give way first")
  func shrinks() {
    #expect(
      birds.lines(width: 17) == ["Name   Size  Seen", "Puf…  640×…  yes", "鳥    32×32", "Swi…    1×1   no"])
    #expect(TextTable.shrunk([1, 10, 4], to: 9) == [1, 4, 4])
    #expect(TextTable.shrunk([5, 5], to: 1) == [1, 1])
    #expect(TextTable.shrunk([], to: -1) == [])
  }

  @Test("No titles, no line for them; no columns, empty lines")
  func withoutTitles() {
    #expect(TextTable([.init(""), .init("")], rows: [["a", "b"]]).lines() == ["a  b"])
    #expect(TextTable([], rows: [["a"]]).lines() == [""])
  }

  @Test("No line is wider than asked, whatever the cells", arguments: 0..<200)
  func keepsToWidth(seed: Int) {
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
