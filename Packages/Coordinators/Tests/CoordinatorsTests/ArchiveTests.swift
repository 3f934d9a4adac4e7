import Foundation
import TestSupport
import Testing

@testable import Coordinators

@Suite("Archives of a navigation")
struct ArchiveTests {
  private func sample() throws -> Tree {
    try Tree(
      .tabs(
        [
          .tab("words", .stack([.screen(.a), .screen(.b).presenting(.screen(.a)), .screen(.a)])),
          .tab("phrases", .stack([.screen(.b).owned(by: "application/b")])),
        ], selected: "phrases"))
  }

  private func error(_ archive: Data) -> ArchiveError? {
    do throws(ArchiveError) {
      _ = try Tree(archive: archive)
      return nil
    } catch { return error }
  }

  @Test("every small tree is restored with its owners, and with identities that no node had")
  func everySmallTreeIsRestored() throws {
    for tree in try everyPlan(upTo: 4).map({ try Tree($0) }) + [sample()] {
      let restored = try Tree(archive: tree.archived())
      #expect(try Tree(restored.root) == Tree(tree.root) && restored.violations.isEmpty)
      #expect(restored.ids.isDisjoint(with: tree.ids))
    }
  }

  @Test("another version, a truncated file and an unknown screen are errors with the next step")
  func unreadableArchivesAreErrors() throws {
    let archive = try sample().archived()
    let newer = String(decoding: archive, as: UTF8.self).replacing("\"version\":1", with: "\"version\":2")
    #expect(error(Data(newer.utf8)) == .version(2))
    #expect(
      ArchiveError.version(2).description
        == "Cannot restore the navigation: its version is 2, but only version 1 is supported. Start without it.")
    #expect(error(archive.prefix(40)) != nil && error(Data()) != nil)
    let unknown = String(decoding: archive, as: UTF8.self).replacing(":\"b\"", with: ":\"z\"")
    #expect(error(Data(unknown.utf8))?.description.hasSuffix("Start without it.") == true)
  }

  @Test("an invalid navigation is refused")
  func invalidNavigationIsRefused() throws {
    func archive(nextID: String = "1", content: String) -> Data {
      let root = #"{"content":\#(content),"owner":{"names":["application"]},"presented":[]}"#
      return Data(#"{"nextID":\#(nextID),"root":\#(root),"version":1}"#.utf8)
    }
    let screen = #"{"screen":{"_0":"a"}}"#
    #expect(try Tree(archive: archive(content: screen)).front.screen == .a)
    for invalid in [
      archive(content: #"{"stack":{"_0":[]}}"#), archive(content: "{}"), archive(nextID: "-1", content: screen),
      archive(nextID: "9007199254740992000", content: screen),
      Data(String(repeating: "[", count: 100_000).utf8),
    ] { #expect(error(invalid) != nil) }
  }

  @Test("the deepest navigation is restored, with any number of nested coordinators")
  func deepestNavigationIsRestored() throws {
    let owner = (0..<300).reduce(CoordinatorID("application")) { $0.child("\($1)") }
    let nested = try Tree(.stack([Plan.screen(.a).owned(by: owner)]))
    #expect(try Tree(archive: nested.archived()).front.owner == owner)
    let deepest = try Tree((1..<Tree.maximumDepth).reduce(Plan.screen(.a)) { inner, _ in .stack([inner]) })
    #expect(try Tree(Tree(archive: deepest.archived()).root) == deepest)
  }

  @Test("an archive with random damage restores a valid navigation or none")
  func randomDamageRestoresValidNavigation() throws {
    let archive = Array(try sample().archived())
    let damage = Generator.zip(.int(in: 0...archive.count - 1), .int(in: 0...255))
    try checkProperty("restores something valid", count: 300, .array(of: damage, count: 1...3)) { damages in
      var bytes = archive
      for (place, byte) in damages { bytes[place] = UInt8(byte) }
      return (try? Tree(archive: Data(bytes)))?.violations.isEmpty ?? true
    }
  }
}
