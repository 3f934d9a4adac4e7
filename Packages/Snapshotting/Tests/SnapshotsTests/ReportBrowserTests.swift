import Foundation
import ImageSnapshotting
import SnapshotStore
import TestSupport
import Testing
import WebSnapshotting

@Suite("The report in a browser", .timeLimit(.minutes(2))) struct ReportBrowserTests {
  static let red = Image.Pixel(red: 255, green: 0, blue: 0)
  static let blue = Image.Pixel(red: 0, green: 0, blue: 255)

  /// Opens the report of a project with a new text, a changed text with a hostile name, and an image.
  private func openReport() async throws -> ReportBrowser {
    let project = try Project()
    try project.write("one\ntwo", to: "Tests/<b>&\".txt")
    try project.leave("one\n2", over: "one\ntwo", of: "Tests/<b>&\".txt", test: "changed()")
    try project.leave("<script>document.title = 'run'</script>", over: nil, of: "Tests/new.txt", test: "new()")
    try project.leavePicture(Self.blue, over: Self.red, of: "Tests/picture.png")
    let outcome = try await BuiltCommand.run(["report", "-o", "report"], in: project.root)
    #expect(outcome.status == 0)
    return try await ReportBrowser(URL(filePath: "\(project.root)/report/index.html"))
  }

  static let all = ["changed Tests/<b>&\".txt", "new Tests/new.txt", "changed Tests/picture.png"]

  @Test("filters by state, suite and name show the matching snapshots") func filters() async throws {
    let browser = try await openReport()
    #expect(try await browser.titles() == Self.all)
    #expect(try await browser.text("document.title") == "3 pending snapshots")
    try await browser.focus("state")
    try await browser.press("n")
    #expect(try await browser.titles() == ["new Tests/new.txt"])
    #expect(try await browser.text("document.getElementById('shown').textContent") == "1 of 3 shown")
    for _ in 0..<2 { try await browser.pressUp() }
    #expect(try await browser.titles() == Self.all)
    try await browser.focus("suite")
    try await browser.press("P")
    #expect(try await browser.titles() == ["changed Tests/picture.png"])
    for _ in 0..<2 { try await browser.pressUp() }
    try await browser.click("document.getElementById('name')")
    try await browser.type("TWO")
    #expect(try await browser.titles() == ["changed Tests/<b>&\".txt"])
  }

  @Test("changed lines are side by side, and markup of a snapshot is text") func texts() async throws {
    let browser = try await openReport()
    let rows = try await browser.texts(
      "[...document.querySelectorAll('section')[0].querySelectorAll('tbody tr')].map(r => r.innerText.replace('\\t', '|'))"
    )
    #expect(rows.contains("two|2"))
    let text = try await browser.text("document.querySelectorAll('section')[1].innerText")
    #expect(text?.contains("<script>document.title = 'run'</script>") == true)
  }

  @Test("images are shown, and the slider uncovers the new image") func pictures() async throws {
    let browser = try await openReport()
    #expect(
      try await browser.texts("[...document.images].map(i => i.alt + ' ' + i.naturalWidth)") == [
        "Reference 40", "New 40", "Difference 40", "Reference 40", "New over the reference 40",
      ])
    let overlay = "document.querySelector('.overlay')"
    #expect(try await browser.color(overlay, across: 0.25) == Self.red)
    #expect(try await browser.color(overlay, across: 0.75) == Self.blue)
    try await browser.click("document.querySelector('input[type=range]')", across: 0.98)
    #expect(try await browser.color(overlay, across: 0.25) == Self.blue)
    try await browser.click("document.querySelector('input[type=range]')", across: 0.02)
    #expect(try await browser.color(overlay, across: 0.75) == Self.red)
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
