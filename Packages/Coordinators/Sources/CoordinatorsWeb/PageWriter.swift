internal import Coordinators

/// Writes the title and the elements of a page.
struct PageWriter<Action: Sendable> {
  let page: Page<Action>
  let address: String
  let node: NodeID
  let token: String
  let texts: WebTexts
  /// The beginning of each `id`, so that two pages fit into one document.
  let prefix: String
  let input: KeptInput?
  /// The `id` of the element with the focus: the reason why the page is shown again, the element to which the user returns,
  /// or the beginning of a dialog.
  private var focus: String?

  /// Creates a writer; `opener` is the `id` of the element to which the user returns.
  ///
  /// A page behind a dialog has no focus.
  init(
    _ page: Page<Action>, at address: String, of node: NodeID, token: String, texts: WebTexts, input: KeptInput? = nil,
    opener: String? = nil, isDialog: Bool = false, isBehind: Bool = false
  ) {
    self.page = page.distinct
    (self.address, self.node, self.token, self.texts, self.input) = (address, node, token, texts, input)
    prefix = isBehind ? "behind-" : ""
    guard !isBehind else { return }
    var fields: [(id: String, isInvalid: Bool)] = []
    var hasAlert = input?.message != nil
    for element in self.page.elements {
      switch element {
      case .form(let form): fields += form.fields.map { (id(of: $0, in: form), error(of: $0, in: form) != nil) }
      case .text(_, .alert, _): hasAlert = true
      default: break
      }
    }
    let start = isDialog ? fields.first?.id ?? "title" : nil
    focus = hasAlert ? "alert" : fields.first { $0.isInvalid }?.id ?? opener ?? start
  }

  var content: [HTML] {
    let title = texts.title(page.title, in: page.titleLanguage)
    // A document has one `h1`, which is not that of the page behind a dialog.
    var written = [
      prefix.isEmpty
        ? HTML("h1", identity("title") + ["tabindex": "-1"] + title.attributes, title.text)
        : HTML("p", ["class": "title"] + title.attributes, title.text)
    ]
    if page.isLoading {
      let reload = HTML("noscript", HTML("a", ["href": address], .text(texts.reload)))
      written.append(
        HTML("p", ["role": "status", "data-wait": target(.wait)], .text(texts.loading + " "), reload))
    }
    if let message = input?.message { written.append(alert(HTML.Phrase(message), isFirst: true)) }
    return written + sections
  }

  /// Writes a form that sends a command to the page.
  func post(
    _ command: WebAddress.Command, _ element: String, _ attributes: HTML.Attributes, _ content: [HTML]
  ) -> HTML {
    let token = HTML.void("input", ["type": "hidden", "name": tokenField, "value": token])
    let node = HTML.void("input", ["type": "hidden", "name": nodeField, "value": String(node.rawValue)])
    return HTML(
      "form", ["method": "post", "action": target(command, element)] + attributes, [token, node] + content)
  }

  /// Buttons after a list come before it, so that a long list does not hide them.
  private var sections: [HTML] {
    var written: [HTML] = []
    var (rows, facts, buttons): ([HTML], [HTML], [HTML]) = ([], [], [])
    var hasAlert = input?.message != nil
    func close() {
      if !buttons.isEmpty { written.append(HTML("div", ["class": "actions"], buttons)) }
      if !rows.isEmpty { written.append(HTML("ul", ["class": "rows"], rows)) }
      if !facts.isEmpty { written.append(HTML("dl", facts)) }
      (rows, facts, buttons) = ([], [], [])
    }
    func add(_ section: HTML) {
      close()
      written.append(section)
    }
    for (index, element) in page.elements.enumerated() {
      switch element {
      case .row(let row):
        if !facts.isEmpty || !buttons.isEmpty { close() }
        rows.append(self.row(row))
      case .fact(let label, let value, let language):
        if !rows.isEmpty || !buttons.isEmpty { close() }
        facts.append(.fact(label, HTML.Phrase(value, in: language)))
      case .button(let button):
        if !facts.isEmpty { close() }
        buttons.append(self.button(button))
      case .text(let text, .alert, let language):
        add(alert(HTML.Phrase(text, in: language), isFirst: !hasAlert))
        hasAlert = true
      case .text(let text, let role, let language):
        let phrase = HTML.Phrase(text, in: language)
        let name: StaticString = role == .heading ? "h2" : "p"
        add(HTML(name, ["class": role == .note ? "note" : nil] + phrase.attributes, phrase.text))
      case .image(let image): add(.void("img", ["src": image.url, "alt": image.description]))
      case .table(let table): add(self.table(table, id: "\(prefix)table-\(index)"))
      case .form(let form): add(self.form(form))
      }
    }
    close()
    return written
  }

  private func alert(_ phrase: HTML.Phrase, isFirst: Bool) -> HTML {
    HTML(
      "p", ["role": "alert", "tabindex": "-1"] + (isFirst ? identity("alert") : [:]) + phrase.attributes, phrase.text)
  }

  private func row(_ row: Page<Action>.Row) -> HTML {
    let title = texts.title(row.title, in: row.language)
    let link = HTML("a", ["href": target(.row, row.id)] + identity(rowID(row.id)) + title.attributes, title.text)
    return HTML("li", [link] + (row.detail.map { [.text(" "), HTML("small", ["dir": "auto"], .text($0))] } ?? []))
  }

  private func button(_ button: Page<Action>.Button) -> HTML {
    let title = texts.title(button.title)
    return post(.button, button.id, [:], [HTML("button", identity(buttonID(button.id)) + title.attributes, title.text)])
  }

  /// A table that scrolls on its own when it is too wide; the region makes that possible with the keyboard.
  private func table(_ table: PageTable, id: String) -> HTML {
    func cell(_ name: StaticString, _ column: PageTable.Column, _ text: String, _ scope: String?) -> HTML {
      HTML(name, ["class": column.isNumeric ? "number" : nil, "scope": scope, "dir": "auto"], .text(text))
    }
    let head = table.columns.map { cell("th", $0, $0.title, "col") }
    let rows = table.rows.map { texts in
      HTML("tr", zip(table.columns, texts + table.columns.map { _ in "" }).map { cell("td", $0, $1, nil) })
    }
    return HTML(
      "div", ["class": "table", "role": "region", "aria-labelledby": id, "tabindex": "0"],
      HTML(
        "table", HTML("caption", ["id": id], .text(table.caption)), HTML("thead", HTML("tr", head)),
        HTML("tbody", rows)))
  }

  private func form(_ form: Page<Action>.Form) -> HTML {
    let submit = HTML("button", identity(submitID(form.id)) + ["class": "submit"], .text(form.submit))
    let written = post(
      .form, form.id, ["data-input": form.edited.map { _ in target(.input, form.id) }],
      form.fields.map { field($0, of: form) } + [submit])
    let isSearch = form.fields.count == 1 && form.fields[0].kind == .search
    return isSearch ? HTML("div", ["role": "search"], written) : written
  }

  private func field(_ field: PageField, of form: Page<Action>.Form) -> HTML {
    let id = prefix + id(of: field, in: form)
    let notes = [("error", error(of: field, in: form)), ("hint", field.hint)].filter { $0.1 != nil }
    let label = HTML("label", ["for": id], .text(field.label))
    let control = control(
      field, value: value(of: field, in: form),
      identity(self.id(of: field, in: form)) + [
        "name": field.inputName, "required": field.isRequired ? "" : nil,
        "aria-invalid": notes.first?.0 == "error" ? "true" : nil,
        "aria-describedby": notes.isEmpty ? nil : notes.map { "\(id):\($0.0)" }.joined(separator: " "),
        "autocomplete": field.autofill?.rawValue,
      ])
    let isCheckbox = field.kind == .checkbox
    let classes = [isCheckbox ? "checkbox" : nil, field.isRequired ? "required" : nil].compactMap(\.self)
    return HTML(
      "p", ["class": classes.isEmpty ? nil : classes.joined(separator: " ")],
      (isCheckbox ? [control, label] : [label, control])
        + notes.map { HTML("span", ["class": $0, "id": "\(id):\($0)", "dir": "auto"], .text($1 ?? "")) })
  }

  private func control(_ field: PageField, value: String, _ attributes: HTML.Attributes) -> HTML {
    func input(_ type: String, _ more: HTML.Attributes) -> HTML { .void("input", attributes + ["type": type] + more) }
    switch field.kind {
    case .text: return input("text", ["dir": "auto", "value": value])
    case .search: return input("search", ["dir": "auto", "value": value])
    // The browser sends secrets to the server, but never receives them.
    case .secret: return input("password", [:])
    case .number(let range):
      let (min, max) = (range.map { "\($0.lowerBound)" }, range.map { "\($0.upperBound)" })
      return input("number", ["step": "any", "value": value, "min": min, "max": max])
    case .checkbox: return input("checkbox", ["value": "on", "checked": value.isEmpty ? nil : ""])
    // The parser of HTML drops a line break at the beginning.
    case .multiline: return HTML("textarea", attributes + ["dir": "auto"], .text("\n" + value))
    case .choice(let choices):
      let isChosen = choices.contains { $0.value == value }
      let none = isChosen && field.isRequired ? [] : [HTML("option", ["value": ""])]
      return HTML(
        "select", attributes,
        none
          + choices.map {
            HTML("option", ["value": $0.value, "selected": $0.value == value ? "" : nil], .text($0.title))
          })
    }
  }

  private func value(of field: PageField, in form: Page<Action>.Form) -> String {
    input.flatMap { $0.form == form.id ? $0.values[field.name] : nil } ?? field.value
  }

  private func error(of field: PageField, in form: Page<Action>.Form) -> String? {
    input.flatMap { $0.form == form.id ? $0.problems[field.name] : nil } ?? field.error
  }

  private func target(_ command: WebAddress.Command, _ element: String = "") -> String {
    WebAddress(page: address, command, element).target
  }

  private func identity(_ id: String) -> HTML.Attributes { ["id": prefix + id, "autofocus": id == focus ? "" : nil] }

  /// The parts have no colons, so two fields never have one `id`.
  private func id(of field: PageField, in form: Page<Action>.Form) -> String {
    "field-\(form.id.encoded()):\(field.name.encoded())"
  }
}

extension HTML {
  static func fact(_ label: String, _ value: Phrase) -> HTML {
    HTML("div", HTML("dt", .text(label)), HTML("dd", value.attributes, value.text))
  }
}

/// Input that is shown again, because it was not sent.
struct KeptInput {
  var form: String
  var values: [String: String]
  /// The text of the problem of each field, by its name.
  var problems: [String: String] = [:]
  var message: String?
}

func rowID(_ row: String) -> String { "row-\(row.encoded())" }
func buttonID(_ button: String) -> String { "button-\(button.encoded())" }
func submitID(_ form: String) -> String { "submit-\(form.encoded())" }
