public import Coordinators
public import Terminal

/// A shell for terminals, as a value.
///
/// It has a navigation, the focus and the input on its pages, and draws them on a screen.
///
/// ```swift
/// var shell = TerminalShell<Screen>(size: TerminalSize(columns: 80, rows: 24))
/// shell.show(navigation)
/// switch shell.receive(.key(.down), page: page) {
/// case .navigate(let intent): navigator.apply(intent)
/// case .triggered(.send(let action), let node): navigator.send(action, from: node)
/// default: break
/// }
/// print(shell.screen(page: page).text)
/// ```
///
/// It performs no I/O; ``TerminalApp`` does. A test can therefore press keys and read the screen without a terminal.
///
/// | key | effect |
/// |---|---|
/// | ↑ ↓, or `k` `j` outside of a field | moves the focus, or scrolls |
/// | Page ↑ ↓, Home, End; Space outside of a field | scrolls by a page, or to an end |
/// | Enter | opens the row, presses the button, goes to the next field and sends the form after the last |
/// | Esc, or ← and Backspace outside of a field | goes back, or closes a modal |
/// | Tab, Shift-Tab | the next or previous field; without fields, the next or previous tab |
/// | 1…9 outside of a field | selects a tab; the selected one pops to its root |
/// | `/` outside of a field | presses the search button, or moves to the search field |
/// | `r` outside of a field, Ctrl-R | fetches the content again |
/// | Ctrl-L, Ctrl-Z | redraws the whole screen, suspends |
/// | `q` outside of a field, Ctrl-C | quits |
public struct TerminalShell<Screen: NavigationScreen>: Sendable {
  public private(set) var navigation: Navigation<Screen>?
  public var size: TerminalSize
  let texts: TerminalTexts
  private var views: [NodeID: PageView] = [:]

  public init(size: TerminalSize, texts: TerminalTexts = TerminalTexts()) {
    self.size = size
    self.texts = texts
  }

  public enum Reaction: Sendable {
    /// At most the screen has changed.
    case none
    case navigate(Intent<Screen>)
    case triggered(Page<Screen.Action>.Trigger, NodeID)
    case repaint
    case suspend
    case quit
    case interrupt
  }

  /// Shows a navigation, and discards the focus and the input of removed screens.
  public mutating func show(_ navigation: Navigation<Screen>) {
    self.navigation = navigation
    var present: Set<NodeID> = []
    navigation.root.forEach { present.insert($0.id) }
    views = views.filter { present.contains($0.key) }
  }

  /// Handles a key or a paste.
  public mutating func receive(_ input: InputEvent, page: (Node<Screen>) -> Page<Screen.Action>) -> Reaction {
    guard let node = navigation?.front else { return .quitting(input) }
    let content = page(node).distinct
    var view = views[node.id] ?? PageView()
    let layout = PageLayout(content, columns: area.columns)
    view.focusFirst(in: layout)
    view.clamp(to: layout, rows: area.rows)
    defer { views[node.id] = view }
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
  fileprivate static func quitting(_ input: InputEvent) -> Self {
    switch input {
    case .key(KeyPress(.character("c"), .control)): .interrupt
    case .key(KeyPress(.character("q"))): .quit
    default: .none
    }
  }

  fileprivate static func navigating(_ intent: Intent<Screen>?) -> Self { intent.map { .navigate($0) } ?? .none }
}

extension TerminalShell {
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
    case .tab: return .navigating(navigation?.selectNeighbour(press.modifiers == .shift ? -1 : 1))
    case .enter: return enter(page, &view, layout, id)
    case .escape, .left, .backspace: return .navigating(navigation?.backIntent)
    case .character("q"): return .quit
    case .character("r"): return .triggered(.refresh, id)
    case .character("/"): return search(page, &view, layout, id)
    case .character(let digit): return .navigating(navigation?.selectTab(numbered: digit))
    default: break
    }
    return .none
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
}

extension PageView {
  fileprivate mutating func cycle<Action>(_ direction: Int, in layout: PageLayout<Action>, rows: Int) {
    guard !layout.stops.isEmpty, let current = layout.index(of: focus) else { return }
    let next = layout.stops[(current + direction + layout.stops.count) % layout.stops.count]
    focus = next.key
    reveal(next.line, rows: rows)
  }
}

extension Navigation {
  fileprivate func selectNeighbour(_ direction: Int) -> Intent<Screen>? {
    guard case .tabs(let tabs, let selected)? = visibleTabs?.content, tabs.count > 1 else { return nil }
    return selectIntent(tabs[(selected + direction + tabs.count) % tabs.count].key)
  }

  fileprivate func selectTab(numbered digit: Character) -> Intent<Screen>? {
    guard let number = digit.wholeNumberValue, case .tabs(let tabs, _)? = visibleTabs?.content,
      tabs.indices.contains(number - 1)
    else { return nil }
    return selectIntent(tabs[number - 1].key)
  }
}
