import Arguments
import Foundation
import ImageSnapshotting
import ParallelTesting
import TestSupport
import Testing

@testable import Demo

@Suite("Decoding of birds")
struct BirdTests {
  private let list: URL

  init() throws {
    list = try #require(URL(string: "http://127.0.0.1:8080/nested/birds"))
  }

  @Test("picture URLs are relative to the URL of the list")
  func relativePictureURLs() throws {
    let data = Data(
      #"[{"name": "Puffin", "picture": "puffin.png"}, {"name": "Swift", "picture": "http://b/s.png"}]"#.utf8)
    let birds = try Bird.decode(data, from: list).get()
    #expect(birds.map(\.picture.absoluteString) == ["http://127.0.0.1:8080/nested/puffin.png", "http://b/s.png"])
  }

  @Test("an empty list of birds is valid")
  func emptyList() throws {
    #expect(try Bird.decode(Data("[]".utf8), from: list).get().isEmpty)
  }

  @Test("a bird whose name has only spaces is invalid")
  func blankName() {
    let data = Data(#"[{"name": "  ", "picture": "a.png"}]"#.utf8)
    #expect(throws: BirdsError.self) { try Bird.decode(data, from: list).get() }
  }

  @Test("the summary breaks lines at spaces in a narrow terminal, and is one line in a pipe")
  func narrowSummary() {
    let text = "0 birds, 0 bytes of pictures, 0.0 ms in all, from \(list.absoluteString)"
    #expect(BirdsReport.summary([], time: .zero, from: list, width: nil) == [text])
    let lines = BirdsReport.summary([], time: .zero, from: list, width: 36)
    #expect(lines == ["0 birds, 0 bytes of pictures, 0.0 ms", "in all, from", list.absoluteString])
  }

  @Test("file names of pictures are safe and unique")
  func fileNames() {
    #expect(
      PictureFolder.fileNames(for: ["Barn owl", "barn-owl", "../../etc/passwd", "…", "Åland eider"])
        == ["barn-owl.png", "barn-owl-2.png", "etc-passwd.png", "bird.png", "åland-eider.png"])
  }

  @Test("a picture that is too large is refused before it is decoded")
  func hugePicture() {
    // A PNG header for 100,000 × 100,000 pixels, without data.
    let header: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 1, 0x86, 0xA0, 0, 1,
      0x86, 0xA0, 8, 2, 0, 0, 0, 0x0B, 0x15, 0x40, 0xD5,
    ]
    let kinds = [Data(header), Data()].map { file -> PNGError.Kind? in
      if case .failure(let error) = BirdsLoader.picture(in: file) { error.kind } else { nil }
    }
    #expect(kinds == [.tooLarge, .notPNG])
  }

  @Test("the error for an invalid server URL does not show its password")
  func invalidURLHidesPassword() async throws {
    let outcome = try await DemoProcess.run("birds", "--server", "http://ayaka:tulp@127.0.0.1:99999")
    #expect(outcome.status == 64 && outcome.errors.contains("'http://…@127.0.0.1:99999'"), "\(outcome)")
    #expect(!outcome.errors.contains("tulp"))
  }
}
