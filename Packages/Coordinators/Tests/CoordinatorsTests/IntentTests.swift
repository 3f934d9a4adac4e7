import Testing

@testable import Coordinators
@testable import CoordinatorsUIKit

/// An example of each intent on the tree of the talk: tabs with words and phrases.
@Suite("Intents")
struct IntentTests {
  enum Place: Hashable, Sendable { case words, word(String), phrases, search, logIn }

  let tree: Navigation<Place>
  let (tabs, words, list): (NodeID, NodeID, NodeID)

  init() throws {
    tree = try Navigation(
      .tabs([.tab("words", .stack([.screen(.words)])), .tab("phrases", .stack([.screen(.phrases)]))]))
    tabs = tree.root.id
    words = tree.root.children[0].id
    list = tree.front.id
  }

  private func after(_ intents: Intent<Place>...) throws -> Navigation<Place> {
    try intents.reduce(tree) { try $0.applying($1) }
  }

  @Test("push adds a screen on top, which becomes visible")
  func pushAddsScreenOnTop() throws {
    let pushed = try after(.push(.screen(.word("fiets")), onto: words))
    #expect(pushed.front.screen == .word("fiets"))
    #expect(pushed.front.owner == tree.root.owner)
  }

  @Test("pop removes the top element, and refuses to remove the first")
  func popKeepsFirstElement() throws {
    let popped = try after(.push(.screen(.word("fiets")), onto: words), .pop(from: words))
    #expect(popped.root == tree.root)
    #expect(throws: NavigationError.nothingToPop(words)) { try popped.applying(.pop(from: words)) }
  }

  @Test("pop to root keeps the first element and removes its modal")
  func popToRootKeepsFirstElement() throws {
    let deep = try after(
      .push(.screen(.word("a")), onto: words), .push(.screen(.word("b")), onto: words),
      .present(.screen(.search), over: list))
    #expect(try deep.applying(.popToRoot(of: words)).root == tree.root)
  }

  @Test("set stack keeps the matching elements from the bottom up")
  func setStackKeepsEqualElements() throws {
    let one = try after(.push(.screen(.word("a")), onto: words), .push(.screen(.word("b")), onto: words))
    let two = try one.applying(.setStack([.screen(.words), .screen(.word("a")), .screen(.word("c"))], of: words))
    let (before, now) = (one.root.children[0].children, two.root.children[0].children)
    #expect(now.map(\.screen) == [.words, .word("a"), .word("c")])
    #expect(now[0].id == before[0].id && now[1].id == before[1].id && now[2].id > before[2].id)
  }

  @Test("set tabs keeps tabs with existing keys, creates new tabs and removes the others")
  func setTabsKeepsExistingKeys() throws {
    let deep = try after(.push(.screen(.word("fiets")), onto: words))
    let search = Blueprint<Place>.Tab.tab("search", .screen(.search))
    let set = try deep.applying(.setTabs([search, .tab("words", .screen(.logIn))], of: tabs))
    #expect(set.root.children.map(\.id) == [NodeID(rawValue: 6), words])
    #expect(set.root.children[1] == deep.root.children[0], "with all that a person has done in it")
    #expect(set.front.screen == .word("fiets"), "and selected as before")
    #expect(set.commands(from: deep).count == 1)
    // A tab of another coordinator is a different tab, and the given selection applies.
    let owned = Blueprint<Place>.Tab.tab("words", .screen(.logIn).owned(by: "application/other"))
    let other = try deep.applying(.setTabs([owned, search], of: tabs, selected: "search"))
    #expect(other.root.children.map { $0.front.screen } == [.logIn, .search] && other.front.screen == .search)
    for (bad, error) in [
      ([], NavigationError.emptyTabs), ([search, search], .duplicateTab("search")),
      ([.tab("x", .stack([]))], .emptyStack),
    ] { #expect(throws: error) { try deep.applying(.setTabs(bad, of: tabs)) } }
    #expect(throws: NavigationError.noSuchTab("x", known: ["search"])) {
      try deep.applying(.setTabs([search], of: tabs, selected: "x"))
    }
    #expect(throws: NavigationError.wrongKind(words, found: .stack, needed: .tabs)) {
      try deep.applying(.setTabs([search], of: words))
    }
  }

  @Test("set tabs selects the neighbour of a removed selected tab")
  func setTabsSelectsNeighbour() throws {
    func selected(_ keys: [TabKey], _ selected: TabKey) throws -> Place? {
      let all = (["a", "b", "c"] as [TabKey]).map { Blueprint<Place>.Tab.tab($0, .screen(.word($0.name))) }
      let tree = try Navigation<Place>(.tabs(all, selected: selected))
      let wanted = keys.map { Blueprint<Place>.Tab.tab($0, .screen(.word($0.name))) }
      return try tree.applying(.setTabs(wanted, of: tree.root.id)).front.screen
    }
    #expect(try selected(["c", "a"], "b") == .word("c") && selected(["x", "a"], "c") == .word("a"))
    #expect(try selected(["x", "y"], "b") == .word("x") && selected(["c", "b", "a"], "a") == .word("a"))
  }

  @Test("setting the other tabs closes a tab with its content, and refuses to close the only tab")
  func setTabsClosesTab() throws {
    let one = try after(try #require(tree.closing("words", in: tabs)))
    #expect(one.front.screen == .phrases && one[words] == nil && one[list] == nil)
    #expect(one.root.children[0] == tree.root.children[1])
    #expect(throws: NavigationError.emptyTabs) { try one.applying(#require(one.closing("phrases", in: tabs))) }
  }

  @Test("select keeps the content of the tab, and a tap on the selected tab pops it to its root")
  func tapOnSelectedTabPopsToRoot() throws {
    let pushed = try after(.push(.screen(.word("fiets")), onto: words))
    #expect(try pushed.applying(.select("words", in: tabs)) == pushed)
    #expect(try pushed.applying(#require(pushed.selectIntent("words"))).root == tree.root)
    #expect(try pushed.applying(.select("phrases", in: tabs)).front.screen == .phrases)
  }

  @Test("an element of another coordinator is replaced even if its screen is equal, and another selected tab is shown")
  func differentOwnerOrSelectionIsReplaced() throws {
    var tree = try Tree(.stack([Plan.screen(.a).owned(by: "application/x")]))
    let first = tree.root.children[0]
    try tree.apply(.setStack([Plan.screen(.a).owned(by: "application/x")], of: tree.root.id))
    #expect(tree.root.children[0] == first)
    try tree.apply(.setStack([Plan.screen(.a).owned(by: "application/y")], of: tree.root.id))
    #expect(tree.root.children[0].id != first.id && tree.front.owner == "application/y")
    let shown = tree.root
    try tree.apply(.show(.stack([Plan.screen(.a)]).owned(by: "application/z")))
    #expect(tree.root.id != shown.id && tree.front.owner == "application/z")

    func tabs(_ key: TabKey) -> Plan { .tabs([.tab("l", .screen(.a)), .tab("r", .screen(.b))], selected: key) }
    var tabbed = try Tree(.stack([tabs("l")]))
    try tabbed.apply(.setStack([tabs("r")], of: tabbed.root.id))
    #expect(tabbed.front.screen == .b)
  }

  @Test("removing a coordinator removes a stack that contains only its elements, and tabs with other keys are replaced")
  func emptyStackIsRemoved() throws {
    let inner = Plan.stack([Plan.screen(.a).owned(by: "application/x")])
    var tree = try Tree(.stack([.screen(.b), inner]))
    try tree.apply(.remove("application/x"))
    #expect(tree.root.children.count == 1 && tree.front.screen == .b && tree.violations.isEmpty)

    var tabs = try Tree(.tabs([.tab("l", .screen(.a)), .tab("r", .screen(.b))]))
    let before = tabs.root.id
    try tabs.apply(.show(.tabs([.tab("l", .screen(.a)), .tab("m", .screen(.b))])))
    #expect(tabs.root.id != before)
  }

  @Test("the stacks of a modal's coordinator are only those inside the modal")
  func modalCoordinatorHasNoCoveredStack() throws {
    let modal = Plan.screen(.b).owned(by: "application/modal")
    let tree = try Tree(.stack([Plan.screen(.a).presenting(modal)]))
    #expect(tree.stack(of: "application/modal") == nil && tree.stack(of: "application") == tree.root.id)
  }

  @Test("a tap on the selected tab pops only the innermost stack")
  func tapOnSelectedTabPopsInnermostStack() throws {
    let inner = Plan.stack([.screen(.a), .screen(.b)])
    var tree = try Tree(.tabs([.tab("x", .stack([.screen(.a), inner]))]))
    let outer = tree.root.children[0]
    try tree.apply(#require(tree.selectIntent("x")))
    #expect(tree.front.id == outer.children[1].children[0].id)
    #expect(tree.root.children[0].children.map(\.id) == outer.children.map(\.id))
  }

  @Test("a tap on the selected tab pops nothing below a modal")
  func tapOnSelectedTabKeepsCoveredScreens() throws {
    let covered = Plan.stack([.screen(.a), .screen(.b)]).presenting(.screen(.a))
    var tree = try Tree(.tabs([.tab("x", covered)]))
    let before = tree
    try tree.apply(#require(tree.selectIntent("x")))
    #expect(tree == before)
  }

  @Test("a modal covers its node, and a second one is refused")
  func modalCoversItsNode() throws {
    let covered = try after(.present(.screen(.logIn), over: tabs))
    #expect(covered.front.screen == .logIn)
    #expect(throws: NavigationError.alreadyPresenting(tabs, modal: covered.front.id)) {
      try covered.applying(.present(.screen(.search), over: tabs))
    }
    #expect(try covered.applying(.dismiss(over: tabs)).root == tree.root)
  }

  @Test("a modal in a tab is hidden and shown with its tab")
  func modalIsHiddenWithItsTab() throws {
    let covered = try after(.present(.screen(.search), over: list))
    let away = try covered.applying(.select("phrases", in: tabs))
    #expect(away.front.screen == .phrases)
    #expect(try away.applying(.select("words", in: tabs)).front.screen == .search)
  }

  @Test("unwind pops a whole stack from any depth, across modals and tabs")
  func unwindPopsWholeStack() throws {
    var deep = try after(.push(.screen(.word("a")), onto: words), .present(.stack([.screen(.search)]), over: tabs))
    let inside = try #require(deep.frontStack?.id)
    try deep.apply(.push(.screen(.word("b")), onto: inside))
    try deep.apply(.present(.screen(.logIn), over: deep.front.id))
    #expect(try deep.applying(.unwind(to: .node(list))).root == tree.root)
    let elsewhere = try deep.applying(.unwind(to: .node(inside)))
    #expect(elsewhere.front.screen == .logIn, "what is inside stays as it is")
    let hidden = try deep.applying(.unwind(to: .node(tree.root.children[1].id)))
    #expect(hidden.front.screen == .phrases)
    #expect(hidden.root.children[0].children.count == 2)
  }

  @Test("unwind to a coordinator shows its topmost screen")
  func unwindToCoordinatorShowsTopmostScreen() throws {
    let search = tree.root.owner.child("search")
    let deep = try after(
      .push(.screen(.search).owned(by: search), onto: words), .push(.screen(.word("a")).owned(by: search), onto: words),
      .push(.screen(.logIn).owned(by: search.child("help")), onto: words))
    #expect(try deep.applying(.unwind(to: .coordinator(search))).front.screen == .word("a"))
    #expect(try deep.applying(.unwind(to: .coordinator(tree.root.owner))).root == tree.root)
    #expect(throws: NavigationError.noSuchCoordinator("nobody")) {
      try deep.applying(.unwind(to: .coordinator("nobody")))
    }
  }

  @Test("remove deletes the screens of a coordinator and of its children")
  func removeDeletesScreensOfChildren() throws {
    let search = tree.root.owner.child("search")
    let deep = try after(
      .push(.screen(.search).owned(by: search), onto: words),
      .present(.stack([.screen(.logIn)]).owned(by: search.child("help")), over: list),
      .push(.screen(.word("mine")), onto: words))
    let removed = try deep.applying(.remove(search))
    #expect(removed.root.children[0].children.map(\.screen) == [.words, .word("mine")])
    #expect(removed.coordinators == [tree.root.owner])
    #expect(throws: NavigationError.cannotBeEmpty(tabs)) { try deep.applying(.remove(tree.root.owner)) }
  }

  @Test("show reaches its target from any state, and changes nothing the second time")
  func showReachesTargetFromAnyState() throws {
    let target = Blueprint<Place>.tabs(
      [.tab("words", .stack([.screen(.words), .screen(.word("b"))])), .tab("phrases", .stack([.screen(.phrases)]))])
    let busy = try after(
      .push(.screen(.word("a")), onto: words), .select("phrases", in: tabs), .present(.screen(.logIn), over: tabs))
    let shown = try busy.applying(.show(target))
    #expect(shown.front.screen == .word("b"))
    #expect(shown.root.id == tabs && shown.root.children[0].children[0].id == list)
    #expect(shown.root.children[1] == busy.root.children[1])
    #expect(try shown.applying(.show(target)) == shown)
  }

  @Test("replace exchanges a node for a new one")
  func replaceExchangesNode() throws {
    let replaced = try after(.replace(tabs, with: .screen(.logIn)))
    #expect(replaced.root.screen == .logIn)
    #expect(replaced.root.id != tabs)
  }

  @Test("a refused intent changes nothing, and its error names the next step")
  func refusedIntentChangesNothing() throws {
    var same = tree
    let gone = NodeID(rawValue: 99)
    let refused: [Intent<Place>] = [
      .push(.screen(.logIn), onto: list), .pop(from: gone), .setStack([], of: words), .select("x", in: tabs),
      .push(.stack([]), onto: words), .present(.tabs([]), over: list), .dismiss(over: list),
      .push(.tabs([.tab("a", .screen(.logIn)), .tab("a", .screen(.logIn))]), onto: words), .update(words, to: .logIn),
      .show(.tabs([.tab("words", .screen(.logIn)), .tab("phrases", .screen(.phrases))], selected: "none")),
    ]
    for intent in refused {
      #expect(throws: NavigationError.self) { try same.apply(intent) }
      #expect(same == tree)
    }
    #expect(
      NavigationError.noSuchTab("x", known: ["words", "phrases"]).description
        == "Cannot find the tab 'x'. Available tabs: 'words', 'phrases'.")
    let errors: [NavigationError] = [
      .wrongKind(list, found: .screen, needed: .stack), .noSuchCoordinator("words"), .emptyStack, .emptyTabs,
      .duplicateTab("words"), .nothingPresented(list),
    ]
    for error in errors {
      #expect("\(error)".wholeMatch(of: /Cannot [^:]+: [^:.]+\. (Use|Push|Keep) .+\./) != nil, "\(error)")
    }
  }

  @Test("an intent that exceeds the maximum depth is refused")
  func tooDeepNestingIsRefused() throws {
    var deep = try Navigation<TestScreen>(.screen(.a))
    for _ in 1..<Navigation<TestScreen>.maximumDepth { try deep.apply(.present(.screen(.a), over: deep.front.id)) }
    #expect(throws: NavigationError.tooDeep(limit: 128)) {
      try deep.applying(.present(.screen(.a), over: deep.front.id))
    }
    #expect(throws: NavigationError.tooDeep(limit: 128)) {
      try Navigation((0..<128).reduce(Plan.screen(.a)) { inner, _ in .stack([inner]) })
    }
    #expect(deep.violations.isEmpty)
  }
}
