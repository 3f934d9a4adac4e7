import Foundation
import ImageSnapshotting
import SnapshotStore
import TestSupport
import Testing
import WebSnapshotting

@Suite("The report in a browser", .timeLimit(.minutes(5))) struct ReportBrowserTests {
  static let red = Image.Pixel(red: 255, green: 0, blue: 0)
  static let blue = Image.Pixel(red: 0, green: 0, blue: 255)
  static let all = ["changed A.changed()", "new A.new()", "changed Pictures.picture()"]

  /// Opens the report of a project with a changed text of a hostile name, a new text, and an image.
  private func openReport(width: Int = 800) async throws -> ReportBrowser {
    let project = try Project()
    try project.write("one\ntwo", to: "Tests/<b>&\"'.txt")
    try project.leave("one\n2", over: "one\ntwo", of: "Tests/<b>&\"'.txt", test: "changed()")
    try project.leave("<script>document.title = 'run'</script>", over: nil, of: "Tests/new.txt", test: "new()")
    try project.leavePicture(Self.blue, over: Self.red, of: "Tests/picture.png")
    let outcome = try await BuiltCommand.run(["report", "-o", "report"], in: project.root)
    #expect(outcome.status == 0)
    return try await ReportBrowser(URL(filePath: "\(project.root)/report/index.html"), width: width)
  }

  /// The commands without the fingerprints of the snapshots.
  private static let command = #"document.getElementById('command').textContent.replace(/@\d+-\w+/g, '')"#

  @Test("tests are the headings and are listed, and the filters show the matching ones") func filters() async throws {
    let browser = try await openReport()
    #expect(try await browser.titles() == Self.all)
    #expect(try await browser.text("document.title") == "3 pending snapshots")
    let anchors =
      "[...document.querySelectorAll('nav a')].map(a => document.getElementById(a.hash.slice(1)).querySelector('h2').textContent)"
    #expect(try await browser.texts(anchors) == Self.all)
    try await browser.focus("state")
    try await browser.press("n")
    #expect(try await browser.titles() == ["new A.new()"])
    #expect(try await browser.text("document.getElementById('shown').textContent") == "1 of 3 shown")
    for _ in 0..<2 { try await browser.press(["key": "ArrowUp", "code": "ArrowUp", "windowsVirtualKeyCode": 38]) }
    #expect(try await browser.titles() == Self.all)
    try await browser.click("document.getElementById('search')")
    try await browser.type("TWO")
    #expect(try await browser.titles() == ["changed A.changed()"])
    for (text, command) in [("none", ""), ("new()", "swift run snapshots accept Tests/new.txt")] {
      _ = try await browser.text("document.getElementById('search').select()")
      try await browser.type(text)
      try await browser.press(["key": "Escape", "code": "Escape", "windowsVirtualKeyCode": 27])
      try await browser.press("a")
      #expect(try await browser.text(Self.command) == command)
      try await browser.press("/")
    }
  }

  @Test("changed lines are side by side, and markup of a snapshot is text") func texts() async throws {
    let browser = try await openReport()
    let rows = try await browser.texts(
      "[...document.querySelectorAll('section')[0].querySelectorAll('tbody tr')].map(r => [...r.cells].map(c => c.textContent).join('|'))"
    )
    #expect(rows.contains("two|2"))
    let text = try await browser.text("document.querySelectorAll('section')[1].textContent")
    #expect(text?.contains("<script>document.title = 'run'</script>") == true)
  }

  @Test("keys and buttons decide, and the decisions are command lines that a shell reads") func decisions() async throws
  {
    let browser = try await openReport()
    let command = Self.command
    #expect(try await browser.text(command) == "")
    for key in "rja" { try await browser.press(key) }
    #expect(
      try await browser.text(command) == """
        swift run snapshots reject 'Tests/<b>&"'\\''.txt'
        swift run snapshots accept Tests/picture.png
        """)
    try await browser.press("k")
    try await browser.click("document.querySelectorAll('section')[1].querySelector('[data-decision=accept]')")
    #expect(
      try await browser.text(command)?.hasSuffix("\nswift run snapshots accept Tests/new.txt Tests/picture.png") == true
    )
    for key in "kr" { try await browser.press(key) }
    #expect(try await browser.text(command) == "swift run snapshots accept Tests/new.txt Tests/picture.png")
    try await browser.press("A")
    let all = #"swift run snapshots accept 'Tests/<b>&"'\''.txt' Tests/new.txt Tests/picture.png"#
    #expect(try await browser.text(command) == all)
    #expect(try await browser.titles() == Self.all)
  }

  @Test("images are side by side, under a slider or over each other, and zoomed") func pictures() async throws {
    let browser = try await openReport()
    let images = "[...document.images].map(i => i.alt + ' ' + i.naturalWidth + ' ' + i.getBoundingClientRect().width)"
    #expect(try await browser.texts(images) == ["reference 40 40", "new 40 40", "difference 40 40"])
    let image = "document.images[0]"
    for key in "jjv" { try await browser.press(key) }
    #expect(try await browser.color(image, across: 0.25) == Self.red)
    #expect(try await browser.color(image, across: 0.75) == Self.blue)
    try await browser.click("document.querySelector('input[type=range]')", across: 0.02)
    #expect(try await browser.color(image, across: 0.25) == Self.blue)
    try await browser.click("document.querySelector('input[type=range]')", across: 0.98)
    #expect(try await browser.color(image, across: 0.75) == Self.red)
    try await browser.press("v")
    try await browser.click("document.querySelector('input[type=range]')")
    let mixed = try await browser.color(image, across: 0.5)
    #expect((100..<156).contains(mixed.red) && (100..<156).contains(mixed.blue))
    for key in "vz" { try await browser.press(key) }
    #expect(try await browser.texts(images) == ["reference 40 80", "new 40 80", "difference 40 80"])
  }

  @Test("nothing is cut at the right in a narrow window") func narrow() async throws {
    let browser = try await openReport(width: 390)
    let excess = "String(document.documentElement.scrollWidth - document.documentElement.clientWidth)"
    #expect(try await browser.text(excess) == "0")
    let right =
      "String(Math.max(...[...document.querySelectorAll('header *')].map(e => e.getBoundingClientRect().right)) <= innerWidth)"
    #expect(try await browser.text(right) == "true")
  }

  @Test("a dark appearance has a dark ground") func dark() async throws {
    let project = try Project()
    try project.leave("new", over: nil)
    _ = try await BuiltCommand.run(["report"], in: project.root)
    var page = WebPage(file: URL(filePath: "\(project.root)/snapshot-report/index.html"))
    page.appearance = .dark
    let picture = try Image(png: try await Browser.shared.png(of: page))
    #expect(try #require(picture[2, 400]).red < 64 && project.names.count == 1)
  }
}
