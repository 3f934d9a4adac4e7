import Foundation
import SnapshotAssertions
import Testing
import WebSnapshotting

/// The pages of the demo's web apps, as a screen reader gets them.
@Suite("Accessibility trees of the web apps")
struct WebAccessibilityTreeTests {
  @Test("pages of both apps have their roles, names and states")
  func trees() async throws {
    try await WebShellProcess.use(["stories"]) { url in
      await expectTree(of: url, named: "stories")
      await expectTree(of: url.appending(path: "stories/101"), named: "story")
      await expectTree(of: url.appending(path: "none"), named: "problem")
    }
    try await WebShellProcess.use(["dictionary"]) { url in await expectTree(of: url, named: "log-in") }
  }

  private func expectTree(of url: URL, named name: String) async {
    await expectSnapshot(of: WebPage(url: url), as: .accessibility, named: name, testName: "trees()")
  }
}
