import Testing

@testable import Terminal

@Suite("Progress")
struct ProgressTests {
  @Test(
    "A progress line has a bar if the width permits",
    arguments: [
      (40, "Birds ██████████████████▊       3/4  75%"), (27, "Birds █████████    3/4  75%"), (20, "Birds 3/4  75%"),
      (11, "B… 3/4  75%"), (8, "3/4  75%"), (5, "3/4 …"), (0, ""), (-1, ""),
    ])
  func lineHasBarIfItFits(columns: Int, expected: String) {
    let line = ProgressBar("Birds", completed: 3, of: 4).line(columns: columns)
    #expect(line.displayWidth <= max(columns, 0))
    #expect(line == expected)
  }

  @Test("The bar grows by eighths of a column and is full only at the end")
  func barGrowsByEighths() {
    #expect(ProgressBar.bar(0, columns: 3) == "   ")
    #expect(ProgressBar.bar(0.5, columns: 3) == "█▌ ")
    #expect(ProgressBar.bar(0.99, columns: 3) == "██▉")
    #expect(ProgressBar.bar(1, columns: 3) == "███")
    #expect(ProgressBar.bar(.nan, columns: 2) == "  ")
    #expect(ProgressBar.bar(.infinity, columns: 2) == "██")
    #expect(ProgressBar.bar(1, columns: -2) == "")
  }

  @Test(
    "The line shows 100% only when all items are completed",
    arguments: [
      (0, 0, "x 0/0 100%"), (999, 1_000, "x  999/1000  99%"), (1_000, 1_000, "x 1000/1000 100%"),
      (-1, 10, "x -1/10   0%"),
      (12, 10, "x 12/10 100%"), (1, nil, "x 1"),
    ] as [(Int, Int?, String)])
  func hundredPercentMeansCompleted(completed: Int, total: Int?, line: String) {
    #expect(ProgressBar("x", completed: completed, of: total).line(columns: line.count) == line)
  }

  @Test("On a terminal each update overwrites the previous line")
  func terminalLineIsOverwritten() {
    var display = ProgressDisplay(columns: 12)
    #expect(display.finish() == "")
    #expect(display.update(ProgressBar("abc", completed: 1, of: nil)) == "\rabc 1")
    #expect(display.update(ProgressBar("abc", completed: 1, of: nil)) == "")
    #expect(display.update(ProgressBar("ab", completed: 2, of: nil)) == "\rab 2 ")
    // A terminal can become narrower, and text at its edge would wrap.
    #expect(display.update(ProgressBar("abcdefgh", completed: 1, of: nil)) == "\rabcdefgh 1")
    display.columns = 6
    #expect(display.update(ProgressBar("a", completed: 1, of: nil)) == "\ra 1  ")
    #expect(display.finish() == "\n")
    #expect(display.finish() == "")
  }
}
