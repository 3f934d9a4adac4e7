import Testing

@testable import Terminal

@Suite("Picture")
struct PictureTests {
  private func picture(_ width: Int, _ colors: [[UInt8]]) throws -> Picture {
    try #require(Picture(width: width, height: colors.count / width, pixels: colors.flatMap { $0 }))
  }

  private let red: [UInt8] = [255, 0, 0, 255]
  private let blue: [UInt8] = [0, 0, 255, 255]
  private let clear: [UInt8] = [9, 9, 9, 0]

  @Test("A cell shows two pixels: the upper one as foreground, the lower one as background")
  func cellShowsTwoPixels() throws {
    let screen = try picture(2, [red, blue, blue, red]).screen(columns: 2, rows: 1, color: .trueColor)
    #expect(screen.text == "▀▀")
    let left = screen[Position(column: 0, row: 0)]?.style
    #expect(left == Style(foreground: .rgb(255, 0, 0), background: .rgb(0, 0, 255)))
  }

  @Test("Transparent pixels show the terminal's background")
  func transparentPixelsShowBackground() throws {
    let screen = try picture(3, [red, clear, clear, clear, blue, clear]).screen(columns: 3, rows: 1, color: .trueColor)
    #expect(screen.text == "▀▄")
    #expect(screen[Position(column: 1, row: 0)]?.style == Style(foreground: .rgb(0, 0, 255)))
    #expect(screen[Position(column: 2, row: 0)] == .blank())
  }

  @Test("A half cell is the average of its pixels, weighted by alpha")
  func halfCellIsAverage() throws {
    let white: [UInt8] = [255, 255, 255, 255]
    let screen = try picture(2, [red, blue, white, clear]).screen(columns: 1, rows: 1, color: .trueColor)
    let style = screen[Position(column: 0, row: 0)]?.style
    #expect(style == Style(foreground: .rgb(127, 0, 127), background: .rgb(255, 255, 255)))
  }

  @Test(
    "A picture keeps its proportions within the given columns and rows",
    arguments: [(100, 100, 20, 20, 20, 10), (100, 100, 40, 5, 10, 5), (200, 10, 20, 20, 20, 1), (1, 900, 20, 9, 1, 9)])
  func pictureKeepsProportions(width: Int, height: Int, columns: Int, rows: Int, across: Int, down: Int) throws {
    let picture = try picture(width, Array(repeating: red, count: width * height))
    let screen = picture.screen(columns: columns, rows: rows, color: .trueColor)
    #expect(screen.columns == across && screen.rows == down)
  }

  @Test("Without colours characters represent brightness, and without columns or rows the screen is empty")
  func charactersRepresentBrightness() throws {
    let (white, black): ([UInt8], [UInt8]) = ([255, 255, 255, 255], [0, 0, 0, 255])
    let picture = try picture(3, [black, black, white, black, white, white])
    #expect(picture.screen(columns: 3, rows: 1, color: .none).text == " =@")
    #expect(picture.screen(columns: 0, rows: 9, color: .trueColor).text == "")
    #expect(picture.screen(columns: 3, rows: -1, color: .trueColor).text == "")
  }

  @Test(
    "A picture with a wrong number of bytes is not created",
    arguments: [(1, 1, 3), (2, 2, 4), (0, 0, 0), (-1, -1, 4), (.max, 2, 4)])
  func wrongByteCountIsRefused(width: Int, height: Int, count: Int) {
    #expect(Picture(width: width, height: height, pixels: Array(repeating: 0, count: count)) == nil)
  }
}
