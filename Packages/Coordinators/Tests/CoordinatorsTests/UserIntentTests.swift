import Coordinators
import Testing

@Suite("The intents of gestures")
struct UserIntentTests {
  private typealias Tree = Navigation<String>

  private func apply(_ intent: Intent<String>?, to tree: inout Tree) throws -> Bool {
    guard let intent else { return false }
    try tree.apply(intent)
    return true
  }

  @Test("the back button pops, then closes the modal, then does nothing")
  func backButtonPopsThenClosesModal() throws {
    let modal = Node<String>.stack([.screen("m1"), .screen("m2")])
    var tree = try Tree(.stack([.screen("a"), .screen("b")]).presenting(modal))
    var seen: [String] = []
    while let behind = tree.screenBehind?.screen {
      try #expect(apply(tree.backIntent, to: &tree) && tree.front.screen == behind)
      seen.append(behind)
    }
    #expect(seen == ["m1", "b", "a"])
    #expect(tree.backIntent == nil && tree.popIntent == nil && tree.dismissIntent == nil)
  }

  @Test("only visible tabs can be selected")
  func onlyVisibleTabsCanBeSelected() throws {
    let tabs = Node<String>.tabs([.tab("one", .stack([.screen("a"), .screen("b")])), .tab("two", .screen("c"))])
    var tree = try Tree(tabs)
    for (key, exists, screen) in [("two", true, "c"), ("three", false, "c"), ("one", true, "b"), ("one", true, "a")] {
      let isSelected = try apply(tree.selectIntent(TabKey(key)), to: &tree)
      #expect(isSelected == exists && tree.front.screen == screen)
    }
    let covered = try Tree(tabs.presenting(.screen("m")))
    #expect(covered.selectIntent("two") == nil && covered.visibleTabs == nil)
    #expect(covered.screenBelowModal?.screen == "b")
  }

  @Test("every intent of a gesture is possible, on every tree of up to five nodes")
  func everyGestureIntentIsPossible() throws {
    var count = 0
    for plan in everyPlan(upTo: 5) {
      let tree = try Navigation(plan)
      for intent in [tree.backIntent, tree.popIntent, tree.dismissIntent, tree.selectIntent("1")].compactMap(\.self) {
        let after = try tree.applying(intent)
        #expect(after.violations.isEmpty && after != tree || intent == tree.selectIntent("1"), "\(plan)")
        count += 1
      }
    }
    #expect(count > 1_000)
  }
}
