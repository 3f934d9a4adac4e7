import ImageSnapshotting
import Parallel
import Snapshotting
import Terminal
import TerminalSnapshotting
import Testing

@Suite("Terminal screens")
struct ScreenTests {
  private let screen: Screen = {
    var screen = Screen(columns: 12, rows: 3)
    screen.write("Puffin <&>", at: Position(column: 0, row: 0), style: .bold)
    screen.write("🐧x", at: Position(column: 0, row: 1), style: Style(foreground: .red, background: .rgb(0, 0, 255)))
    screen.write(" ", at: Position(column: 0, row: 2), style: Style(background: .palette(196)))
    screen.write(" ", at: Position(column: 1, row: 2), style: Style(background: .rgb(0, 255, 0), attributes: .inverse))
    screen.cursor = Position(column: 5, row: 2)
    return screen
  }()

  @Test("the text of a terminal screen has its characters, without styles")
  func text() async throws {
    #expect(try await Snapshotting<Screen, String>.text.snapshot(screen).value() == "Puffin <&>\n🐧x\n")
  }

  @Test("the image of a terminal screen accepts a tolerance")
  func tolerance() {
    let strategy = Snapshotting<Screen, Image>.image(
      precision: 0.5, perceptualPrecision: 0.9, ignoringAntialiasing: true)
    #expect(
      strategy.diffing.settings == [
        "precision": "0.5", "perceptualPrecision": "0.9", "ignoringAntialiasing": "true",
      ])
  }

  @Test("the image of a terminal screen shows each cell with its colours and attributes, and the cursor as a box")
  func picture() async throws {
    let picture = try await Snapshotting<Screen, Image>.image.snapshot(screen).value()
    #expect((picture.width, picture.height) == (120, 60))
    let ground = Image.Pixel(red: 0x1B, green: 0x1B, blue: 0x1B)
    // The wide character takes two cells, and the one after it is in the third.
    #expect(picture[1, 21] == Image.Pixel(red: 0, green: 0, blue: 255))
    #expect(picture[29, 21] == Image.Pixel(red: 0, green: 0, blue: 255))
    #expect(picture[31, 21] == ground)
    #expect(picture[5, 50] == Image.Pixel(red: 255, green: 0, blue: 0))
    // In reverse video, the background has the default colour of letters.
    #expect(picture[15, 50] == Image.Pixel(red: 0xE6, green: 0xE6, blue: 0xE6))
    #expect(picture[55, 50] == Image.Pixel(red: 0xE6, green: 0xE6, blue: 0xE6))
    #expect(picture[100, 50] == ground)
  }

  @Test("equal terminal screens have equal images, and a change of one cell changes the image")
  func changes() async throws {
    let image = Snapshotting<Screen, Image>.image
    var other = screen
    other.write("x", at: Position(column: 7, row: 2), style: .plain)
    let picture = try await image.snapshot(screen).value()
    #expect(try await image.snapshot(screen).value() == picture)
    #expect(try await image.snapshot(other).value() != picture)
  }

  @Test("a theme sets the colours of a terminal screen that have only names")
  func theme() async throws {
    let picture = try await Snapshotting<Screen, Image>.image(theme: .light).snapshot(Screen(columns: 1, rows: 1))
      .value()
    #expect(picture.pixels.allSatisfy { $0 == 255 })
  }
}
