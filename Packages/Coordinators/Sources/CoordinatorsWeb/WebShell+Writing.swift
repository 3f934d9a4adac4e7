public import Coordinators

extension WebShell {
  /// Returns a response with the visible page.
  ///
  /// The page is plain HTML: a heading, lists of links, forms with labels, the tabs as a navigation, and a link back.
  /// Browsers do not cache it, so the back button sends a request. Only a form that sends its input during editing has
  /// a script. The form also works without the script.
  public func response(page: Page<Screen.Action>) -> WebResponse {
    guard let node = navigation?.front.id else { return problem(404, texts.noScreen) }
    let isModal = navigation?.screenBelowModal != nil
    var main: [HTML] = []
    if let behind = navigation?.screenBehind {
      let words = isModal && navigation?.popIntent == nil ? texts.close : texts.back
      main.append(.element("p", [], [link(to: .screen(behind.id), HTML.Phrase(words), rel: "prev")]))
    }
    let title = texts.title(page.title, in: page.titleLanguage)
    main.append(.element("h1", [.is("id", "title")] + title.language, [title.text]))
    if page.isLoading { main.append(.element("p", [.is("role", "status")], [.text(texts.loading)])) }
    main += sections(page.distinct, node)
    if isModal {
      let dialog: [HTML.Attribute] = [
        .is("role", "dialog"), .is("aria-modal", "true"), .is("aria-labelledby", "title"),
      ]
      main = [.element("div", dialog, main)]
    }
    return written(
      status: 200, title: title, refresh: page.isLoading,
      body: [header(page, node), .element("main", [], main)])
  }

  func problem(_ status: Int, _ reason: String) -> WebResponse {
    written(
      status: status, title: HTML.Phrase(reason), refresh: false,
      body: [
        .element(
          "main", [],
          [
            .element("h1", [], [.text(reason)]),
            .element("p", [], [.element("a", [.is("href", "/")], [.text(texts.returnToApp)])]),
          ])
      ])
  }

  func written(status: Int, title: HTML.Phrase, refresh: Bool, body: [HTML]) -> WebResponse {
    var head: [HTML] = [
      .void("meta", [.is("charset", "utf-8")]),
      .void("meta", [.is("name", "viewport"), .is("content", "width=device-width, initial-scale=1")]),
      .element("title", title.language, [title.text]), .style(styleSheet),
    ]
    if refresh { head.append(.void("meta", [.is("http-equiv", "refresh"), .is("content", "1")])) }
    return WebResponse(
      status: status,
      headers: [
        "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Content-Security-Policy":
          "default-src 'none'; style-src 'unsafe-inline'; script-src '\(inputScriptHash)'; connect-src 'self'; "
          + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      ], body: HTML.document(language: texts.language, head: head, body: body))
  }

  private func link(to address: WebAddress, _ words: HTML.Phrase, rel: String? = nil) -> HTML {
    .element("a", [.is("href", address.path)] + (rel.map { [.is("rel", $0)] } ?? []) + words.language, [words.text])
  }

  private func header(_ page: Page<Screen.Action>, _ node: NodeID) -> HTML {
    let refresh = post(to: .refresh(on: node), [.element("button", [], [.text(texts.refresh)])])
    let parts = [tabs(node), page.isRefreshable ? refresh : nil].compactMap { $0 }
    return parts.isEmpty ? .empty : .element("header", [], parts)
  }

  private func tabs(_ node: NodeID) -> HTML? {
    guard case .tabs(let tabs, let selected)? = navigation?.visibleTabs?.content else { return nil }
    let items = tabs.enumerated().map { index, tab in
      HTML.element(
        "li", [],
        [
          .element(
            "a",
            [.is("href", WebAddress.tab(tab.key, on: node).path)]
              + (index == selected ? [.is("aria-current", "true")] : []),
            [.text(texts.title(of: tab.key))])
        ])
    }
    return .element("nav", [.is("aria-label", texts.tabs)], [.element("ul", [], items)])
  }

  /// Buttons after a list come before it, so that a long list does not hide them.
  ///
  /// The first alert gets the focus.
  private func sections(_ page: Page<Screen.Action>, _ node: NodeID) -> [HTML] {
    var written: [HTML] = []
    var rows: [HTML] = []
    var facts: [HTML] = []
    var buttons: [HTML] = []
    var hasAlert = false
    func close() {
      if !buttons.isEmpty { written.append(.element("div", [.is("class", "actions")], buttons)) }
      if !rows.isEmpty { written.append(.element("ul", [.is("class", "rows")], rows)) }
      if !facts.isEmpty { written.append(.element("dl", [], facts)) }
      (rows, facts, buttons) = ([], [], [])
    }
    for element in page.elements {
      switch element {
      case .row(let row):
        if !facts.isEmpty || !buttons.isEmpty { close() }
        let detail = row.cell.detail.map { [HTML.text(" "), .element("small", [], [.text($0)])] } ?? []
        let title = texts.title(row.cell.title, in: row.cell.titleLanguage)
        rows.append(.element("li", [], [link(to: .row(row.id, on: node), title)] + detail))
      case .fact(let label, let value, let language):
        if !rows.isEmpty || !buttons.isEmpty { close() }
        let phrase = HTML.Phrase(value, in: language)
        facts += [.element("dt", [], [.text(label)]), .element("dd", phrase.language, [phrase.text])]
      case .text(let text, let role, let language):
        close()
        written.append(paragraph(HTML.Phrase(text, in: language), role, isFirstAlert: role == .alert && !hasAlert))
        if role == .alert { hasAlert = true }
      case .form(let form):
        close()
        written.append(self.form(form, node, isExplained: hasAlert))
        if form.edited != nil { written.append(.script(inputScript)) }
      case .button(let button):
        if !facts.isEmpty { close() }
        buttons.append(
          post(to: .button(button.id, on: node), [.element("button", [], [texts.title(button.title).text])]))
      }
    }
    close()
    return written
  }

  private func paragraph(_ phrase: HTML.Phrase, _ role: PageTextRole, isFirstAlert: Bool) -> HTML {
    let content = [phrase.text]
    return switch role {
    case .body: .element("p", phrase.language, content)
    case .heading: .element("h2", phrase.language, content)
    case .note: .element("p", [.is("class", "note")] + phrase.language, content)
    case .alert:
      .element(
        "p",
        [.is("role", "alert")]
          + (isFirstAlert ? [.is("id", "alert"), .is("tabindex", "-1"), .is("autofocus", nil)] : [])
          + phrase.language, content)
    }
  }

  private func form(_ form: Page<Screen.Action>.Form, _ node: NodeID, isExplained: Bool) -> HTML {
    let fields = form.fields.map { field in
      let kind =
        switch field.kind {
        case .text: "text"
        case .secret: "password"
        case .search: "search"
        }
      let name = fieldPrefix + field.name
      // The browser sends secrets to the server, but never receives them.
      let value = field.kind == .secret ? "" : field.value
      return HTML.element(
        "p", [],
        [
          .element("label", [.is("for", "\(form.id)-\(name)")], [.text(field.label)]), .text(" "),
          .void(
            "input",
            [.is("id", "\(form.id)-\(name)"), .is("name", name), .is("type", kind), .is("value", value)]
              + (field.isInvalid ? [.is("aria-invalid", "true")] : [])
              + (field.isInvalid && isExplained ? [.is("aria-describedby", "alert")] : [])
              + (field.autofill.map { [.is("autocomplete", $0.token)] } ?? [])),
        ])
    }
    let submit = HTML.element("button", [], [.text(form.submit)])
    let written = post(to: .form(form.id, on: node), fields + [submit])
    let isSearch = form.fields.contains { $0.kind == .search }
    return isSearch ? .element("div", [.is("role", "search")], [written]) : written
  }

  private func post(to address: WebAddress, _ content: [HTML]) -> HTML {
    let token = HTML.void("input", [.is("type", "hidden"), .is("name", tokenField), .is("value", token)])
    return .element("form", [.is("method", "post"), .is("action", address.path)], [token] + content)
  }
}

extension PageField.Autofill {
  fileprivate var token: String {
    switch self {
    case .username: "username"
    case .password: "current-password"
    case .newPassword: "new-password"
    }
  }
}
