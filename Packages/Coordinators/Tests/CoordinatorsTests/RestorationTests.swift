import Foundation
import TestSupport
import Testing

@testable import Coordinators

/// A saved navigation comes back, or as much of it as is valid.
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

  @Test("brings every small tree back")
  func bringsEverySmallTree() throws {
    for tree in try blueprints(upTo: 4).map({ try Tree($0) }) {
      let lines = Restoration<TestScreen>(archive: try tree.archived())
      #expect(lines.navigation == tree && lines.losses.isEmpty)
    }
  }

  @Test("has a form that a person can read")
  func hasFormPersonCan() throws {
    #expect(
      try text(try Tree(.stack([.screen(.a)]))) == """
        navigation 1 2
        {"id":0,"kind":"stack","owner":"application"}
        {"id":1,"kind":"screen","owner":"application","parent":0,"screen":"a"}

        """)
  }

  @Test("restores a valid prefix of a file that was cut short, at every byte")
  func restoresValidPrefixFile() throws {
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

  @Test("says what it dropped: a screen that is not known any more costs what is above it")
  func saysDroppedScreenNot() throws {
    let outdated = try text(try sample()).replacing(
      "\"parent\":1,\"screen\":\"b\"", with: "\"parent\":1,\"screen\":\"z\"")
    let restoration = restored(outdated)
    #expect(restoration.navigation?.root.children.map(\.children.count) == [1, 1])
    #expect(restoration.losses.map(\.node) == [3, 4, 5].map { NodeID(rawValue: $0) })
    #expect(
      restoration.losses.first?.description.hasPrefix("Dropped entry 3 (node #3): its screen cannot be read") == true)
  }

  @Test("a screen that its coordinator does not know costs what is above it, and is told; each is asked for once")
  func screenOfAnother() throws {
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

  @Test("a line that is damaged costs what may have been on top of it, and other tabs stay")
  func lineDamagedCostsMay() throws {
    var lines = try text(try sample()).split(separator: "\n").map(String.init)
    lines[4] = "{\"id\":3,\"ki\u{0}\u{FFFD}"
    let restoration = restored(lines.joined(separator: "\n") + "\n")
    #expect(restoration.navigation?.root.children.map(\.children.count) == [1, 1])
    #expect(restoration.navigation?.violations == [])
  }

  @Test("refuses another version, and what is no navigation at all")
  func refusesAnotherVersionNo() throws {
    let newer = restored(try text(try sample()).replacing("navigation 1", with: "navigation 2"))
    #expect(newer.navigation == nil)
    #expect(
      newer.losses.map(\.description) == [
        "Dropped the saved navigation: its version is 2, but only version 1 is supported."
      ])
    #expect(restored("").navigation == nil && restored("\0\n\n{}").navigation == nil)
  }

  @Test("drops what points nowhere, comes twice, or is in the wrong place")
  func dropsPointsNowhereComes() {
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

  @Test("is valid whatever the bytes are")
  func validWhateverBytesAre() throws {
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

  @Test("refuses nesting without end")
  func refusesNestingWithoutEnd() {
    var lines = ["navigation 1"]
    for id in 0..<5_000 {
      lines.append(#"{"id":\#(id),"owner":"o","kind":"stack"\#(id == 0 ? "" : ",\"parent\":\(id - 1)")}"#)
    }
    let restoration = restored(lines.joined(separator: "\n") + "\n")
    #expect(restoration.navigation == nil && !restoration.losses.isEmpty)
  }

  @Test("goes on with identities that were never there")
  func goesOnIdentitiesWere() throws {
    var restored = try #require(Restoration<TestScreen>(archive: try sample().archived()).navigation)
    let before = restored.ids
    let stack = try #require(restored.frontStack?.id)
    try restored.apply(.push(.screen(.b), onto: stack))
    #expect(!before.contains(restored.front.id))
  }

  @Test("is equal to what was saved, whatever was done to it before, and gives no identity out again")
  func identitiesComeBack() throws {
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
    "without the next identity, or with one that cannot be, it goes on after those that are there",
    arguments: ["", " 0", " 1", " -5", " x", " 9007199254740992", " 99999999999999999999", " 7 7"])
  func nextIdentity(saved: String) throws {
    let archive = try text(try Tree(.stack([.screen(.a)]))).replacing("navigation 1 2", with: "navigation 1" + saved)
    let restoration = restored(archive)
    var tree = try #require(restoration.navigation)
    #expect(tree.violations == [] && restoration.losses.isEmpty)
    try tree.apply(.push(.screen(.b), onto: tree.root.id))
    #expect(tree.front.id == NodeID(rawValue: saved == " 7 7" ? 7 : 2))
  }

  @Test("gets back the tabs that the app cannot be without, and keeps the rest")
  func missingTabs() throws {
    let start = Blueprint<TestScreen>.tabs([
      .tab("words", .stack([.screen(.a)])), .tab("phrases", .stack([.screen(.b)])), .tab("notes", .screen(.b)),
    ])
    let whole = try Tree(start)
    for (id, tab) in [(1, "words"), (3, "phrases"), (5, "notes")] {
      let lines = try text(whole).split(separator: "\n").filter { !$0.contains("\"id\":\(id),") }
      var left = try #require(restored(lines.joined(separator: "\n") + "\n").navigation)
      let before = left
      #expect(left.root.children.count == 2)
      try left.addMissingTabs(of: start)
      #expect(left.violations == [] && left.front == before.front, "what is in sight stays in sight")
      guard case .tabs(let tabs, _) = left.root.content, case .tabs(let kept, _) = before.root.content else {
        return #expect(Bool(false), "no tabs")
      }
      #expect(tabs.map(\.key) == ["words", "phrases", "notes"])
      #expect(kept.allSatisfy { tab in tabs.contains { $0.node == tab.node } }, "the other tabs are the very ones")
      #expect(tabs.first { $0.key.name == tab }?.node.blueprint == whole.root.children[(id - 1) / 2].blueprint)
      let once = left
      try left.addMissingTabs(of: start)
      #expect(left == once)
    }
  }

  @Test("adds no tabs to what is another coordinator's, or no tabs; to tabs on a stack and in a modal it does")
  func missingTabsElsewhere() throws {
    let tabs = Blueprint<TestScreen>.tabs([.tab("x", .screen(.a)), .tab("y", .screen(.b))])
    let one = Blueprint<TestScreen>.tabs([.tab("y", .screen(.b))])
    let both = Blueprint<TestScreen>.tabs([.tab("x", .screen(.a)), .tab("y", .screen(.b))], selected: "y")
    for (there, start, expected) in [
      (one.owned(by: "other"), tabs.owned(by: "application"), nil), (.screen(.a), tabs, nil),
      (.stack([.screen(.a)]), tabs, nil),
      (.stack([one, .screen(.a)]), .stack([tabs]), Blueprint.stack([both, .screen(.a)])),
      (
        Blueprint.screen(.a).presenting(one), Blueprint.screen(.b).presenting(tabs),
        Blueprint.screen(.a).presenting(both)
      ),
      (one, tabs.presenting(tabs), both),
    ] as [(Blueprint<TestScreen>, Blueprint<TestScreen>, Blueprint<TestScreen>?)] {
      var tree = try Tree(there)
      let before = tree
      try tree.addMissingTabs(of: start)
      guard let expected else {
        #expect(tree == before)
        continue
      }
      #expect(tree.description.filter { !$0.isNumber } == (try Tree(expected)).description.filter { !$0.isNumber })
      #expect(tree.front == before.front && tree.violations == [])
    }
  }

  @Test("refuses a tab that cannot be, and stays as it was")
  func missingTabsRefused() throws {
    var tree = try Tree(.tabs([.tab("x", .screen(.a))]))
    let before = tree
    #expect(throws: NavigationError.emptyStack) {
      try tree.addMissingTabs(of: .tabs([.tab("w", .screen(.a)), .tab("y", .stack([]))]))
    }
    var deep = Blueprint<TestScreen>.screen(.a)
    for _ in 0..<Tree.maximumDepth { deep = .stack([deep]) }
    #expect(throws: NavigationError.tooDeep(limit: Tree.maximumDepth)) {
      try tree.addMissingTabs(of: .tabs([.tab("y", deep)]))
    }
    #expect(tree == before)
  }
}
