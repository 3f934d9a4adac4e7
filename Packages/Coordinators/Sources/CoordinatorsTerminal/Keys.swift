internal import Coordinators
internal import Terminal

/// Keys, the words for them in the hints and in the help, and their effect.
struct KeyBinding {
  enum Hint {
    /// Only the help has it.
    case none
    case ifThereIsRoom
    case always
  }

  let keys: [KeyPress]
  /// The names of the keys, as in `↑↓`; empty for keys that neither the hints nor the help have.
  let name: String
  let text: String
  let hint: Hint
  let run: () -> Void
}

extension TerminalApp {
  /// Returns the keys of the visible page: the hints, the help and the behaviour all come from this table.
  ///
  /// The first binding of a key applies. A character without a binding is typed into a field for text.
  func bindings(_ layout: PageLayout<Screen.Action>, _ focus: Focus?) -> [KeyBinding] {
    let page = layout.page
    let isText = page.field(focus)?.field.kind.isText ?? false
    let hasFields = page.elements.contains { if case .form(let form) = $0 { !form.fields.isEmpty } else { false } }
    var table: [KeyBinding] = []
    func add(
      _ name: String, _ keys: [KeyPress], _ text: String, hint: KeyBinding.Hint = .ifThereIsRoom,
      run: @escaping () -> Void
    ) {
      table.append(KeyBinding(keys: keys, name: name, text: text, hint: hint, run: run))
    }
    func add(_ keys: [KeyPress], run: @escaping () -> Void) { add("", keys, "", hint: .none, run: run) }

    if help == nil { addControl() }
    add("↑↓", isText ? [.up] : [.up, .letter("k")], texts.move) { self.view.move(-1, in: layout) }
    add(isText ? [.down] : [.down, .letter("j")]) { self.view.move(1, in: layout) }
    if help == nil { addPage() } else { add("Esc", [.escape], texts.back, hint: .always) { self.help = nil } }
    add("PgDn", isText ? [.pageDown] : [.pageDown, .space], texts.pageDown, hint: .none) {
      self.view.turn(1, in: layout)
    }
    if !isText {
      add("Home", [.home], texts.first, hint: .none) { self.view.jump(toEnd: false, in: layout) }
      add("End", [.end], texts.last, hint: .none) { self.view.jump(toEnd: true, in: layout) }
    }
    add([.pageUp]) { self.view.turn(-1, in: layout) }
    add("Ctrl-L", [.control("l")], texts.repaint, hint: .none) { self.output?.shown = nil }
    add([.control("z")]) {
      self.isSuspended = true
      self.output?.suspend()
    }
    // `q` would drop the input of a form.
    if !hasFields, help == nil { add("q", [.letter("q")], texts.quit, hint: .always) { self.ended = .quit } }
    add("Ctrl-C", [.control("c")], texts.quit, hint: hasFields ? .always : .none) { self.ended = .interrupted }
    return table

    func addControl() {
      let activate = { self.activate(layout) }
      switch focus {
      case .row: add("Enter", [.enter], texts.open, run: activate)
      case .button: add("Enter", [.enter, .space], texts.press, run: activate)
      case .submit: add("Enter", [.enter, .space], texts.send, run: activate)
      case .field, nil: break
      }
      guard let (form, field) = page.field(focus) else { return }
      switch field.kind {
      case .multiline:
        add([.up]) { self.edit(page) { $0.move(toLineFrom: $0.lineStart - 1) } }
        add([.down]) { self.edit(page) { $0.move(toLineFrom: $0.lineEnd + 1) } }
        add("Enter", [.enter], texts.newLine) { self.edit(page) { $0.insert("\n") } }
      case .choice(let choices):
        add("←→", [.right, .space], texts.choose) { self.edit(page) { $0.choose(1, of: choices) } }
        add([.left]) { self.edit(page) { $0.choose(-1, of: choices) } }
      case .checkbox:
        add("Space", [.space], texts.toggle) { self.edit(page) { $0 = TextInput($0.text.isEmpty ? "on" : "") } }
      case .text, .secret, .search, .number: break
      }
      if field.kind == .multiline { return }
      if form.fields.last?.name == field.name {
        add("Enter", [.enter], texts.send, run: activate)
      } else {
        add("Enter", [.enter], texts.next) { self.view.cycle(1, in: layout) }
      }
    }

    func addPage() {
      if hasFields {
        add("Tab", [.tab], texts.nextField) { self.view.cycle(1, in: layout) }
        add([.backTab]) { self.view.cycle(-1, in: layout) }
      }
      addTabs()
      if let back = navigator.navigation?.backIntent {
        let keys: [KeyPress] = page.field(focus) == nil ? [.escape, .left, .backspace] : [.escape]
        add("Esc", keys, texts.back, hint: .always) { self.navigator.apply(back) }
      }
      if isText {
        for (name, keys, text, edit) in TextInput.keys(texts) {
          add(name, keys, text, hint: .none) { self.edit(page, edit) }
        }
      }
      if page.isRefreshable {
        let keys: [KeyPress] = isText ? [.control("r")] : [.letter("r"), .control("r")]
        add(isText ? "Ctrl-R" : "r", keys, texts.refresh) { self.refresh() }
      }
      add(isText ? "F1" : "?", isText ? [.help] : [.letter("?"), .help], texts.help, hint: .always) {
        let keys = self.bindings(layout, focus).filter { !$0.name.isEmpty }
        self.help = Page(self.texts.keys, keys.map { .fact(label: $0.name, value: $0.text) })
        self.view = PageView()
      }
    }

    func addTabs() {
      guard case .tabs(let tabs, let selected)? = navigator.navigation?.visibleTabs?.content else { return }
      func select(_ index: Int) {
        navigator.navigation?.selectIntent(tabs[index % tabs.count].key).map(navigator.apply)
      }
      let current = tabs.firstIndex { $0.key == selected } ?? 0
      if tabs.count > 1, !hasFields {
        add("Tab", [.tab], texts.nextTab) { select(current + 1) }
        add([.backTab]) { select(current + tabs.count - 1) }
      }
      // Without Alt, a digit is typed into a field.
      let last = min(tabs.count, 9)
      for number in 1...last {
        let digit = Character("\(number)")
        let name = number > 1 ? "" : (isText ? "Alt-1" : "1") + (last > 1 ? "…\(last)" : "")
        add(
          name, isText ? [.alt(digit)] : [.letter(digit), .alt(digit)], texts.tab,
          hint: hasFields && number == 1 ? .ifThereIsRoom : .none
        ) { select(number - 1) }
      }
    }
  }
}

extension [KeyBinding] {
  /// Returns the hints that fit; the way back, the help and the way out have priority.
  func hints(columns: Int) -> String {
    var hints = filter { $0.hint != .none }
    func line() -> String { hints.map { "\($0.name) \($0.text)" }.joined(separator: "  ") }
    while hints.count > 1, line().displayWidth > columns {
      hints.remove(at: hints.lastIndex { $0.hint == .ifThereIsRoom } ?? 0)
    }
    return line()
  }
}

extension Page {
  func field(_ focus: Focus?) -> (form: Form, field: PageField)? {
    guard case .field(let id, let name)? = focus, let form = form(id), let field = form.field(name) else { return nil }
    return (form, field)
  }
}

extension PageField.Kind {
  /// Whether keys type text into the field.
  var isText: Bool {
    if case .choice = self { false } else { self != .checkbox }
  }
}

extension TextInput {
  /// Selects the option before or after the selected one.
  fileprivate mutating func choose(_ step: Int, of choices: [PageField.Choice]) {
    guard !choices.isEmpty else { return }
    let current = choices.firstIndex { $0.value == text } ?? (step > 0 ? -1 : 0)
    self = TextInput(choices[(current + step + choices.count) % choices.count].value)
  }
}

extension KeyPress {
  static let up = KeyPress(.up), down = KeyPress(.down), left = KeyPress(.left), right = KeyPress(.right)
  static let enter = KeyPress(.enter), escape = KeyPress(.escape), backspace = KeyPress(.backspace)
  static let tab = KeyPress(.tab), backTab = KeyPress(.tab, .shift), space = KeyPress(.character(" "))
  static let pageUp = KeyPress(.pageUp), pageDown = KeyPress(.pageDown)
  static let home = KeyPress(.home), end = KeyPress(.end), help = KeyPress(.function(1))

  static func letter(_ letter: Character) -> KeyPress { KeyPress(.character(letter)) }
  static func control(_ letter: Character) -> KeyPress { KeyPress(.character(letter), .control) }
  static func alt(_ letter: Character) -> KeyPress { KeyPress(.character(letter), .alt) }
}
