import Arguments
import Foundation
import ImageSnapshotting
import Testing

@testable import Demo

@Suite("Reading birds")
struct BirdTests {
  private let list: URL

  init() throws {
    list = try #require(URL(string: "http://127.0.0.1:8080/nested/birds"))
  }

  @Test("takes the pictures' addresses relative to the list's")
  func relative() throws {
    let data = Data(
      #"[{"name": "Puffin", "picture": "puffin.png"}, {"name": "Swift", "picture": "http://b/s.png"}]"#.utf8)
    let birds = try Bird.decode(data, from: list).get()
    #expect(birds.map(\.picture.absoluteString) == ["http://127.0.0.1:8080/nested/puffin.png", "http://b/s.png"])
  }

  @Test("an empty list is no error")
  func empty() throws {
    #expect(try Bird.decode(Data("[]".utf8), from: list).get().isEmpty)
  }

  @Test("a name of nothing but spaces is no name")
  func blank() {
    let data = Data(#"[{"name": "  ", "picture": "a.png"}]"#.utf8)
    #expect(throws: BirdsError.self) { try Bird.decode(data, from: list).get() }
  }

  @Test("file names are safe, and each is used once")
  func fileNames() {
    #expect(
      PictureFolder.fileNames(for: ["Barn owl", "barn-owl", "../../etc/passwd", "…", "Åland eider"])
        == ["barn-owl.png", "barn-owl-2.png", "etc-passwd.png", "bird.png", "åland-eider.png"])
  }

  @Test("pictures larger than anybody needs are refused before they are decoded")
  func hugePicture() {
    // A PNG that says it is 100,000 pixels wide and high, and has no data.
    let header: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 1, 0x86, 0xA0, 0, 1,
      0x86, 0xA0, 8, 2, 0, 0, 0, 0x0B, 0x15, 0x40, 0xD5,
    ]
    let kinds = [Data(header), Data()].map { file -> PNGError.Kind? in
      if case .failure(let error) = BirdsLoader.picture(in: file) { error.kind } else { nil }
    }
    #expect(kinds == [.tooLarge, .notPNG])
  }

  @Test("an address that is none is told without its password")
  func addressWithPassword() {
    let error = #expect(throws: ValidationError.self) {
      try ServerAddress(argument: "http://ayaka:tulp@127.0.0.1:99999")
    }
    #expect(error.map { "\($0)".contains("http://127.0.0.1:99999") && !"\($0)".contains("tulp") } == true)
  }
}
