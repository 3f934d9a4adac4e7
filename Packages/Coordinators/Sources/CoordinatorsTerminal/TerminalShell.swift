public import Coordinators
public import Terminal

/// A shell that draws, as a value: what it has of a navigation, what a person has done on its pages, and the screen that
/// shows both.
///
/// ```swift
/// var shell = TerminalShell<Screen>(size: TerminalSize(columns: 80, rows: 24))
/// let acknowledgement = try shell.perform(batch)
/// switch shell.receive(.key(.down), page: page) {
/// case .moved(let skeleton): navigator.observe(skeleton)
/// case .triggered(.send(let action), let node): navigator.send(action, from: node)
/// default: break
/// }
/// print(shell.screen(page: page).text)
/// ```
///
/// It reads no key and writes no byte: ``TerminalApp`` does. So a test presses keys and reads the screen, without a terminal.
///
/// | key | does |
/// |---|---|
/// | ↑ ↓ Page ↑ ↓ Home End, `k` `j` | moves the focus, or scrolls |
/// | Enter | opens the row, presses the button, goes to the next field and sends the form after the last |
/// | Esc, or ← and Backspace outside of a field | goes back, or closes a modal |
/// | Tab, Shift-Tab | the next or previous field; without fields, the next or previous tab |
/// | 1…9 outside of a field | selects a tab; the selected one pops to its root |
/// | `/` outside of a field | presses the search button, or goes to the search field |
/// | `r`, Ctrl-R | fetches again |
/// | Ctrl-L, Ctrl-Z | paints all of it, suspends |
/// | `q` outside of a field, Ctrl-C | ends |
public struct TerminalShell<Screen: NavigationScreen>: Sendable {
  /// What the shell has.
  public private(set) var tree = ShellTree<Screen>()
  /// The size that it draws in; another one takes effect with the next screen.
  public var size: TerminalSize
  /// The words that are not of the app's pages.
  let texts: TerminalTexts
  private var views: [NodeID: PageView] = [:]

  /// Creates a shell that has nothing yet.
  ///
  /// - Parameters:
  ///   - size: What it draws in.
  ///   - texts: The words that the shell adds to the pages.
  public init(size: TerminalSize, texts: TerminalTexts = TerminalTexts()) {
    self.size = size
    self.texts = texts
  }

  /// What comes of a key.
  public enum Reaction: Sendable {
    /// At most the screen has changed.
    case none
    /// A person went back, closed a modal or selected a tab: this is what the shell has now.
    case moved(Skeleton)
    /// A person did something on the page of a node.
    case triggered(Page<Screen.Action>.Trigger, NodeID)
    /// The person wants all of it painted again.
    case repaint
    /// The person wants the program to wait in the background.
    case suspend
    /// The person has had enough.
    case quit
    /// The person wants it to end at once.
    case interrupt
  }

  /// Carries out a batch.
  ///
  /// - Returns: The acknowledgement, with what the shell has now.
  /// - Throws: `NavigationError` for commands that were not made for what it has.
  public mutating func perform(_ batch: Batch<Screen>) throws(NavigationError) -> Acknowledgement? {
    let acknowledgement = try tree.perform(batch)
    forgetWhatIsGone()
    return acknowledgement
  }

  /// Takes a key or a paste.
  ///
  /// - Parameters:
  ///   - input: What the person did.
  ///   - page: The page of a node; asked for the one in sight.
  /// - Returns: What comes of it.
  public mutating func receive(_ input: InputEvent, page: (Node<Screen>) -> Page<Screen.Action>) -> Reaction {
    guard let node = tree.navigation?.front else { return .quitting(input) }
    let content = page(node)
    var view = views[node.id] ?? PageView()
    let layout = PageLayout(content, columns: area.columns)
    view.settle(in: layout)
    view.fit(layout, rows: area.rows)
    defer { if tree.navigation?[node.id] != nil { views[node.id] = view } }
    switch input {
    case .paste(let text):
      return edit(content, &view, node.id) { field in
        field.insert(text)
        return true
      } ?? Reaction.none
    case .unrecognized: return .none
    case .key(let press):
      if let reaction = control(press, node.id) { return reaction }
      if press.modifiers.isSubset(of: .shift),
        let reaction = edit(content, &view, node.id, { $0.press(press.key) })
      {
        return reaction
      }
      return move(press, content, &view, layout, node.id)
    }
  }
}

extension TerminalShell.Reaction {
  /// Before there is anything to show, a person can only leave.
  fileprivate static func quitting(_ input: InputEvent) -> Self {
    switch input {
    case .key(KeyPress(.character("c"), .control)): .interrupt
    case .key(KeyPress(.character("q"))): .quit
    default: .none
    }
  }
}

extension TerminalShell {
  /// Where the page is drawn.
  var area: Area { frame.area }

  func view(of id: NodeID) -> PageView { views[id] ?? PageView() }

  private func control(_ press: KeyPress, _ id: NodeID) -> Reaction? {
    guard press.modifiers == .control, case .character(let letter) = press.key else { return nil }
    switch letter {
    case "c": return .interrupt
    case "l": return .repaint
    case "z": return .suspend
    case "r": return .triggered(.refresh, id)
    default: return Reaction.none
    }
  }

  /// Changes the text of the field that has the focus; `nil` if no field has it, or the change does not concern it.
  private func edit(
    _ page: Page<Screen.Action>, _ view: inout PageView, _ id: NodeID, _ change: (inout TextInput) -> Bool
  ) -> Reaction? {
    guard case .field(let formID, let name)? = view.focus, let form = page.form(formID),
      let field = form.fields.first(where: { $0.name == name })
    else { return nil }
    let before = view.text(of: field, in: formID).text
    guard view.edit(field, in: formID, change) else { return nil }
    guard view.text(of: field, in: formID).text != before else { return Reaction.none }
    return form.editAction(for: view.values(of: form)).map { .triggered(.send($0), id) } ?? Reaction.none
  }

  private mutating func move(
    _ press: KeyPress, _ page: Page<Screen.Action>, _ view: inout PageView, _ layout: PageLayout<Screen.Action>,
    _ id: NodeID
  ) -> Reaction {
    let rows = area.rows
    let hasFields = layout.stops.contains { if case .field = $0.key { true } else { false } }
    switch press.key {
    case .up, .character("k"): view.move(-1, in: layout, rows: rows)
    case .down, .character("j"): view.move(1, in: layout, rows: rows)
    case .pageUp: view.turn(-1, in: layout, rows: rows)
    case .pageDown, .character(" "): view.turn(1, in: layout, rows: rows)
    case .home: view.jump(toEnd: false, in: layout, rows: rows)
    case .end: view.jump(toEnd: true, in: layout, rows: rows)
    case .tab where hasFields: view.cycle(press.modifiers == .shift ? -1 : 1, in: layout, rows: rows)
    case .tab: return moved { $0.selectNeighbour(press.modifiers == .shift ? -1 : 1) }
    case .enter: return enter(page, &view, layout, id)
    case .escape, .left, .backspace: return moved { $0.goBack() }
    case .character("q"): return .quit
    case .character("r"): return .triggered(.refresh, id)
    case .character("/"): return search(page, &view, layout, id)
    case .character(let digit): return moved { $0.selectTab(numbered: digit) }
    default: break
    }
    return .none
  }

  private mutating func moved(_ change: (inout ShellTree<Screen>) -> Bool) -> Reaction {
    guard change(&tree), let skeleton = tree.skeleton else { return .none }
    forgetWhatIsGone()
    return .moved(skeleton)
  }

  private func enter(
    _ page: Page<Screen.Action>, _ view: inout PageView, _ layout: PageLayout<Screen.Action>, _ id: NodeID
  ) -> Reaction {
    switch view.focus {
    case .row(let row)?: return page.row(row).map { .triggered(.send($0.action), id) } ?? .none
    case .button(let button)?: return page.button(button).map { .triggered($0.trigger, id) } ?? .none
    case .field(let formID, let name)?:
      guard let form = page.form(formID) else { return .none }
      guard form.fields.last?.name == name else {
        view.cycle(1, in: layout, rows: area.rows)
        return .none
      }
      return send(form, &view, id)
    case .submit(let formID)?: return page.form(formID).map { send($0, &view, id) } ?? .none
    case nil: return .none
    }
  }

  private func search(
    _ page: Page<Screen.Action>, _ view: inout PageView, _ layout: PageLayout<Screen.Action>, _ id: NodeID
  ) -> Reaction {
    guard let key = page.searchKey, let index = layout.index(of: key) else { return .none }
    view.focus = key
    view.reveal(layout.stops[index].line, rows: area.rows)
    return if case .button = key { enter(page, &view, layout, id) } else { .none }
  }

  private func send(_ form: Page<Screen.Action>.Form, _ view: inout PageView, _ id: NodeID) -> Reaction {
    let action = form.action(for: view.values(of: form))
    view.forgetSecrets(of: form)
    return .triggered(.send(action), id)
  }

  private mutating func forgetWhatIsGone() {
    var present: Set<NodeID> = []
    tree.navigation?.root.forEach { present.insert($0.id) }
    views = views.filter { present.contains($0.key) }
  }
}

extension PageView {
  /// Moves the focus on or back, from the last to the first as well.
  fileprivate mutating func cycle<Action>(_ direction: Int, in layout: PageLayout<Action>, rows: Int) {
    guard !layout.stops.isEmpty, let current = layout.index(of: focus) else { return }
    let next = layout.stops[(current + direction + layout.stops.count) % layout.stops.count]
    focus = next.key
    reveal(next.line, rows: rows)
  }
}

extension ShellTree {
  fileprivate mutating func selectNeighbour(_ direction: Int) -> Bool {
    guard case .tabs(let tabs, let selected)? = tabsInSight?.content else { return false }
    return select(tabs[(selected + direction + tabs.count) % tabs.count].key)
  }

  fileprivate mutating func selectTab(numbered digit: Character) -> Bool {
    guard let number = digit.wholeNumberValue, case .tabs(let tabs, _)? = tabsInSight?.content,
      tabs.indices.contains(number - 1)
    else { return false }
    return select(tabs[number - 1].key, reselection: .popsToRoot)
  }
}
