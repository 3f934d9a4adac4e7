import Foundation
import Testing
import WebSnapshotting

@Suite("Pictures of pages")
struct PictureTests {
  @Test("The same page makes the same picture")
  func same() async throws {
    let page = WebPage(html: "<h1>Welcome to Point-Free!</h1>")
    let first = try await Browser.shared.png(of: page)
    #expect(first.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(try await Browser.shared.png(of: page) == first)
  }
}
