import Foundation
import TestSupport
import Testing

@testable import Coordinators

@Suite("Restoration")
struct RestorationTests {
  private func sample() throws -> Tree {
    try Tree(
      .tabs(
        [
          .tab("words", .stack([.screen(.a), .screen(.b).presenting(.screen(.a)), .screen(.a)])),
          .tab("phrases", .stack([.screen(.b)])),
        ], selected: "phrases"))
  }

  private func restored(_ text: String) -> Restoration<TestScreen> { Restoration(archive: Data(text.utf8)) }

  private func text(_ tree: Tree) throws -> String { String(decoding: try tree.archived(), as: UTF8.self) }

  @Test("every small tree is restored")
  func everySmallTreeIsRestored() throws {
    for tree in try blueprints(upTo: 4).map({ try Tree($0) }) {
      let lines = Restoration<TestScreen>(archive: try tree.archived())
      #expect(lines.navigation == tree && lines.losses.isEmpty)
    }
  }

  @Test("an archive is readable text")
  func archiveIsReadable() throws {
    #expect(
      try text(try Tree(.stack([.screen(.a)]))) == """
        navigation 1 2
        {"id":0,"kind":"stack","owner":"application"}
        {"id":1,"kind":"screen","owner":"application","parent":0,"screen":"a"}

        """)
  }

  @Test("a file truncated at any byte restores a valid prefix")
  func truncatedFileRestoresPrefix() throws {
    let tree = try sample()
    let archive = try tree.archived()
    let screens = Set(tree.ids)
    var most = 0
    for count in 0..<archive.count {
      let restoration = Restoration<TestScreen>(archive: archive.prefix(count))
      #expect(restoration.navigation?.violations ?? [] == [])
      #expect(restoration.navigation?.ids.isSubset(of: screens) ?? true)
      let size = restoration.navigation?.ids.count ?? 0
      #expect(size >= most, "more bytes must not restore less")
      most = max(most, size)
    }
    #expect(most == tree.ids.count)
  }

  @Test("an unknown screen is dropped with the screens above it, and each loss is reported")
  func unknownScreenIsDroppedAndReported() throws {
    let outdated = try text(try sample()).replacing(
      "\"parent\":1,\"screen\":\"b\"", with: "\"parent\":1,\"screen\":\"z\"")
    let restoration = restored(outdated)
    #expect(restoration.navigation?.root.children.map(\.children.count) == [1, 1])
    #expect(restoration.losses.map(\.node) == [3, 4, 5].map { NodeID(rawValue: $0) })
    #expect(
      restoration.losses.first?.description.hasPrefix("Dropped entry 3 (node #3): its screen cannot be read") == true)
  }

  @Test("a screen that does not belong to its coordinator is dropped with the screens above it; each is checked once")
  func screenOfAnotherCoordinatorIsDropped() throws {
    let plan = Plan.stack([.screen(.a), .screen(.b), .screen(.a).presenting(.screen(.b).owned(by: "application/b"))])
    let archive = try Tree(plan).archived()
    var asked: [CoordinatorID] = []
    let restoration = Restoration<TestScreen>(archive: archive) { screen, owner in
      asked.append(owner)
      return screen == .a || owner == "application/b"
    }
    #expect(asked == ["application", "application", "application", "application/b"])
    #expect(restoration.navigation?.description == "#0[#1 a]")
    #expect(
      restoration.losses.map(\.description) == [
        "Dropped entry 2 (node #2): its screen does not belong to 'application'.",
        "Dropped entry 3 (node #3): an element below it in the stack was dropped.",
        "Dropped entry 4 (node #4): its parent #3 was dropped or is missing.",
      ])
    #expect(Restoration<TestScreen>(archive: archive) { _, _ in false }.navigation == nil)
  }

  @Test("a damaged line drops the screens above it, and other tabs stay")
  func damagedLineKeepsOtherTabs() throws {
    var lines = try text(try sample()).split(separator: "\n").map(String.init)
    lines[4] = "{\"id\":3,\"ki\u{0}\u{FFFD}"
    let restoration = restored(lines.joined(separator: "\n") + "\n")
    #expect(restoration.navigation?.root.children.map(\.children.count) == [1, 1])
    #expect(restoration.navigation?.violations == [])
  }

  @Test("another version and other files are refused")
  func anotherVersionIsRefused() throws {
    let newer = restored(try text(try sample()).replacing("navigation 1", with: "navigation 2"))
    #expect(newer.isFromNewerVersion && !restored("navigation 0\n").isFromNewerVersion)
    #expect(newer.navigation == nil)
    #expect(
      newer.losses.map(\.description) == [
        "Dropped the saved navigation: its version is 2, but only version 1 is supported."
      ])
    #expect(restored("").navigation == nil && restored("\0\n\n{}").navigation == nil)
  }

  @Test("entries with missing parents, duplicate identities or wrong positions are dropped")
  func misplacedEntriesAreDropped() {
    let record = #","owner":"o","kind":"screen","screen":"a""#
    let restoration = restored(
      """
      navigation 1
      {"id":0,"owner":"o","kind":"tabs","selected":"gone"}
      {"id":1,"parent":0,"tab":"x"\(record)}
      {"id":1,"parent":0,"tab":"y"\(record)}
      {"id":2,"parent":0,"tab":"x"\(record)}
      {"id":3,"parent":0\(record)}
      {"id":4,"parent":9\(record)}
      {"id":5,"parent":1\(record)}
      {"id":6\(record)}
      {"id":-1,"parent":0,"tab":"z"\(record)}
      {"id":7,"parent":7,"tab":"w"\(record)}
      {"id":8,"owner":"o","kind":"stack","parent":0,"tab":"empty"}
      {"id":9,"parent":1,"modal":true\(record)}
      {"id":10,"parent":1,"modal":true\(record)}

      """)
    #expect(restoration.navigation?.description == "#0{*x: #1 a ^ #9 a}")
    #expect(restoration.losses.map(\.entry) == [2, 3, 4, 5, 6, 7, 8, 9, 10, 12])
  }

  @Test("an archive with random damage restores a valid navigation")
  func randomDamageRestoresValidNavigation() throws {
    let archive = Array(try sample().archived())
    let damage = Generator.zip(.int(in: 0...archive.count - 1), .int(in: 0...255), .int(in: 0...3))
    try checkProperty("restores something valid", count: 500, .array(of: damage, count: 1...4)) { damages in
      var bytes = archive
      for (place, byte, kind) in damages where place < bytes.count {
        switch kind {
        case 0: bytes[place] = UInt8(byte)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(UInt8(byte), at: place)
        default: bytes.swapAt(place, byte % bytes.count)
        }
      }
      return Restoration<TestScreen>(archive: Data(bytes)).navigation?.violations.isEmpty ?? true
    }
  }

  @Test("nesting beyond the limit is refused")
  func tooDeepNestingIsRefused() {
    var lines = ["navigation 1"]
    for id in 0..<5_000 {
      lines.append(#"{"id":\#(id),"owner":"o","kind":"stack"\#(id == 0 ? "" : ",\"parent\":\(id - 1)")}"#)
    }
    let restoration = restored(lines.joined(separator: "\n") + "\n")
    #expect(restoration.navigation == nil && !restoration.losses.isEmpty)
  }

  @Test("a restored navigation creates unused identities")
  func restoredNavigationCreatesUnusedIdentities() throws {
    var restored = try #require(Restoration<TestScreen>(archive: try sample().archived()).navigation)
    let before = restored.ids
    let stack = try #require(restored.frontStack?.id)
    try restored.apply(.push(.screen(.b), onto: stack))
    #expect(!before.contains(restored.front.id))
  }

  @Test("a restored navigation equals the saved one after any intent, and reuses no identity")
  func restoredNavigationEqualsSavedOne() throws {
    for tree in try blueprints(upTo: 3).map({ try Tree($0) }) {
      for intent in intents(for: tree) {
        guard let after = try? tree.applying(intent) else { continue }
        #expect(Restoration<TestScreen>(archive: try after.archived()).navigation == after)
      }
    }
    var tree = try Tree(.stack([.screen(.a)]))
    try tree.apply(.push(.screen(.b), onto: tree.root.id))
    let gone = tree.front.id
    try tree.apply(.pop(from: tree.root.id))
    var restored = try #require(Restoration<TestScreen>(archive: try tree.archived()).navigation)
    try restored.apply(.push(.screen(.b), onto: restored.root.id))
    #expect(restored.front.id > gone)
  }

  @Test(
    "without a valid next identity, a restored navigation continues after the largest one",
    arguments: ["", " 0", " 1", " -5", " x", " 9007199254740992", " 99999999999999999999", " 7 7"])
  func invalidNextIdentityIsReplaced(saved: String) throws {
    let archive = try text(try Tree(.stack([.screen(.a)]))).replacing("navigation 1 2", with: "navigation 1" + saved)
    let restoration = restored(archive)
    var tree = try #require(restoration.navigation)
    #expect(tree.violations == [] && restoration.losses.isEmpty)
    try tree.apply(.push(.screen(.b), onto: tree.root.id))
    #expect(tree.front.id == NodeID(rawValue: saved == " 7 7" ? 7 : 2))
  }

  @Test("set tabs adds the tabs that a restored navigation lacks, and keeps the other tabs")
  func setTabsAddsLostTabs() throws {
    let start: [Plan.Tab] = [
      .tab("words", .stack([.screen(.a)])), .tab("phrases", .stack([.screen(.b)])), .tab("notes", .screen(.b)),
    ]
    let whole = try Tree(.tabs(start))
    for (id, tab) in [(1, "words"), (3, "phrases"), (5, "notes")] {
      let lines = try text(whole).split(separator: "\n").filter { !$0.contains("\"id\":\(id),") }
      var left = try #require(restored(lines.joined(separator: "\n") + "\n").navigation)
      let before = left
      #expect(left.root.children.count == 2)
      try left.apply(.setTabs(start, of: left.root.id))
      #expect(left.violations == [] && left.front == before.front, "the visible screen stays visible")
      guard case .tabs(let tabs, _) = left.root.content, case .tabs(let kept, _) = before.root.content else {
        return #expect(Bool(false), "no tabs")
      }
      #expect(tabs.map(\.key) == ["words", "phrases", "notes"])
      #expect(kept.allSatisfy { tab in tabs.contains { $0.node == tab.node } }, "the other tabs keep their nodes")
      #expect(tabs.first { $0.key.name == tab }?.node.blueprint == whole.root.children[(id - 1) / 2].blueprint)
      let once = left
      try left.apply(.setTabs(start, of: left.root.id))
      #expect(left == once)
    }
  }
}
