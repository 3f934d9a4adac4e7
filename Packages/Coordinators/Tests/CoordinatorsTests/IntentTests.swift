import Testing

@testable import Coordinators

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

  @Test("showing tabs with other keys replaces the tabs")
  func tabsWithOtherKeysAreReplaced() throws {
    var tabs = try Tree(.tabs([.tab("l", .screen(.a)), .tab("r", .screen(.b))]))
    let before = tabs.root.id
    try tabs.apply(.show(.tabs([.tab("l", .screen(.a)), .tab("m", .screen(.b))])))
    #expect(tabs.root.id != before)
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
    let search = CoordinatorID("application").child("search")
    let deep = try after(
      .push(.screen(.search).owned(by: search), onto: words), .push(.screen(.word("a")).owned(by: search), onto: words),
      .push(.screen(.logIn).owned(by: search.child("help")), onto: words))
    #expect(try deep.applying(.unwind(to: .coordinator(search))).front.screen == .word("a"))
    #expect(try deep.applying(.unwind(to: .coordinator("application"))).root == tree.root)
    #expect(throws: NavigationError.noSuchCoordinator("nobody")) {
      try deep.applying(.unwind(to: .coordinator("nobody")))
    }
  }

  @Test("show reaches its target from any state, and changes nothing the second time")
  func showReachesTargetFromAnyState() throws {
    let target = Node<Place>.tabs(
      [.tab("words", .stack([.screen(.words), .screen(.word("b"))])), .tab("phrases", .stack([.screen(.phrases)]))])
    let busy = try after(
      .push(.screen(.word("a")), onto: words), .select("phrases", in: tabs), .present(.screen(.logIn), over: tabs))
    let shown = try busy.applying(.show(target))
    #expect(shown.front.screen == .word("b"))
    #expect(shown.root.id == tabs && shown.root.children[0].children[0].id == list)
    #expect(shown.root.children[1] == busy.root.children[1])
    #expect(try shown.applying(.show(target)) == shown)
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
    #expect(throws: NavigationError.tooDeep(limit: 100)) {
      try deep.applying(.present(.screen(.a), over: deep.front.id))
    }
    #expect(throws: NavigationError.tooDeep(limit: 100)) {
      try Navigation((0..<100).reduce(Plan.screen(.a)) { inner, _ in .stack([inner]) })
    }
    #expect(deep.violations.isEmpty)
  }
}
