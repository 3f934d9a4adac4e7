public import Coordinators

extension WebShell {
  /// The page in sight, as a response.
  ///
  /// Plain HTML without scripts: a heading, lists of links, forms with labels, the tabs as a navigation, a way back. No
  /// browser keeps it, so that going back asks again.
  ///
  /// - Parameter page: The page of the screen in sight.
  public func response(page: Page<Screen.Action>) -> WebResponse {
    guard let node = tree.navigation?.front.id else { return problem(404, texts.nothingYet) }
    let isModal = tree.screenBelowModal != nil
    var main: [HTML] = []
    if let behind = tree.screenBehind {
      let words = isModal && !tree.canSwipeBack ? texts.close : texts.back
      main.append(.element("p", [], [link(to: .screen(behind.id), HTML.Phrase(words), rel: "prev")]))
    }
    let title = texts.title(page.title, in: page.titleLanguage)
    main.append(.element("h1", [.is("id", "title")] + title.language, [title.text]))
    if page.isLoading { main.append(.element("p", [.is("role", "status")], [.text(texts.loading)])) }
    main += sections(page, node)
    if isModal {
      let dialog: [HTML.Attribute] = [
        .is("role", "dialog"), .is("aria-modal", "true"), .is("aria-labelledby", "title"),
      ]
      main = [.element("div", dialog, main)]
    }
    return written(
      status: 200, title: title, refresh: page.isLoading,
      body: [tabs(node), .element("main", [], main)] + (page.isRefreshable ? [refresh(node)] : []))
  }

  /// A page that says why there is no other.
  func problem(_ status: Int, _ reason: String) -> WebResponse {
    written(
      status: status, title: HTML.Phrase(reason), refresh: false,
      body: [
        .element(
          "main", [],
          [
            .element("h1", [], [.text(reason)]),
            .element("p", [], [.element("a", [.is("href", "/")], [.text(texts.whereYouWere)])]),
          ])
      ])
  }

  func written(status: Int, title: HTML.Phrase, refresh: Bool, body: [HTML]) -> WebResponse {
    var head: [HTML] = [
      .void("meta", [.is("charset", "utf-8")]),
      .void("meta", [.is("name", "viewport"), .is("content", "width=device-width, initial-scale=1")]),
      .element("title", title.language, [title.text]), style,
    ]
    if refresh { head.append(.void("meta", [.is("http-equiv", "refresh"), .is("content", "1")])) }
    return WebResponse(
      status: status,
      headers: [
        "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Content-Security-Policy":
          "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      ], body: HTML.document(language: texts.language, head: head, body: body))
  }

  private func link(to address: WebAddress, _ words: HTML.Phrase, rel: String? = nil) -> HTML {
    .element("a", [.is("href", address.path)] + (rel.map { [.is("rel", $0)] } ?? []) + words.language, [words.text])
  }

  private func tabs(_ node: NodeID) -> HTML {
    guard case .tabs(let tabs, let selected)? = tree.tabsInSight?.content else { return .empty }
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

  /// The elements, rows beside each other in one list, and facts in one.
  private func sections(_ page: Page<Screen.Action>, _ node: NodeID) -> [HTML] {
    var written: [HTML] = []
    var rows: [HTML] = []
    var facts: [HTML] = []
    // Of several of one identity only the first can be reached, as everywhere.
    var known: (rows: Set<String>, forms: Set<String>, buttons: Set<String>) = ([], [], [])
    func close() {
      if !rows.isEmpty { written.append(.element("ul", [.is("class", "rows")], rows)) }
      if !facts.isEmpty { written.append(.element("dl", [], facts)) }
      (rows, facts) = ([], [])
    }
    for element in page.elements {
      switch element {
      case .row(let row):
        guard known.rows.insert(row.id).inserted else { continue }
        if !facts.isEmpty { close() }
        let detail = row.cell.detail.map { [HTML.text(" "), .element("small", [], [.text($0)])] } ?? []
        let title = texts.title(row.cell.title, in: row.cell.titleLanguage)
        rows.append(.element("li", [], [link(to: .row(row.id, on: node), title)] + detail))
      case .fact(let label, let value, let language):
        if !rows.isEmpty { close() }
        let phrase = HTML.Phrase(value, in: language)
        facts += [.element("dt", [], [.text(label)]), .element("dd", phrase.language, [phrase.text])]
      case .text(let text, let role, let language):
        close()
        written.append(paragraph(HTML.Phrase(text, in: language), role))
      case .form(let form):
        guard known.forms.insert(form.id).inserted else { continue }
        close()
        written.append(self.form(form, node))
      case .button(let button):
        guard known.buttons.insert(button.id).inserted else { continue }
        close()
        written.append(
          post(to: .button(button.id, on: node), [.element("button", [], [texts.title(button.title).text])]))
      }
    }
    close()
    return written
  }

  private func paragraph(_ phrase: HTML.Phrase, _ role: PageTextRole) -> HTML {
    let content = [phrase.text]
    return switch role {
    case .body: .element("p", phrase.language, content)
    case .heading: .element("h2", phrase.language, content)
    case .note: .element("p", [.is("class", "note")] + phrase.language, content)
    case .alert: .element("p", [.is("role", "alert")] + phrase.language, content)
    }
  }

  private func form(_ form: Page<Screen.Action>.Form, _ node: NodeID) -> HTML {
    let fields = form.fields.map { field in
      let kind =
        switch field.kind {
        case .text: "text"
        case .secret: "password"
        case .search: "search"
        }
      let name = fieldPrefix + field.name
      // What is secret is sent by the browser, and never to it.
      let value = field.kind == .secret ? "" : field.value
      return HTML.element(
        "p", [],
        [
          .element("label", [.is("for", "\(form.id)-\(name)")], [.text(field.label)]), .text(" "),
          .void(
            "input",
            [.is("id", "\(form.id)-\(name)"), .is("name", name), .is("type", kind), .is("value", value)]
              + (field.autofill.map { [.is("autocomplete", $0.token)] } ?? [])),
        ])
    }
    return post(to: .form(form.id, on: node), fields + [.element("button", [], [.text(form.submit)])])
  }

  private func refresh(_ node: NodeID) -> HTML {
    .element("footer", [], [post(to: .refresh(on: node), [.element("button", [], [.text(texts.refresh)])])])
  }

  private func post(to address: WebAddress, _ content: [HTML]) -> HTML {
    let token = HTML.void("input", [.is("type", "hidden"), .is("name", tokenField), .is("value", token)])
    return .element("form", [.is("method", "post"), .is("action", address.path)], [token] + content)
  }

  private var style: HTML {
    .style(
      """
      body{font:1.1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:0 auto;padding:1rem;color:#222;background:#fff}\
      nav ul{display:flex;gap:1.5rem;list-style:none;padding:0}[aria-current]{font-weight:bold}\
      .rows{padding:0;list-style:none}.rows li{padding:.3rem 0;border-bottom:1px solid #ddd}\
      dt{color:#555}dd{margin:0 0 .5rem}label{display:inline-block;min-width:7rem}\
      [role=alert]{color:#a00;font-weight:bold}.note,small{color:#555}[role=dialog]{border:1px solid #888;padding:1rem}
      """)
  }
}

extension ShellTree {
  /// Whether going back pops, rather than closing a modal.
  fileprivate var canSwipeBack: Bool {
    var copy = self
    return copy.swipeBack()
  }
}

extension PageField.Autofill {
  /// The word of HTML for it.
  fileprivate var token: String {
    switch self {
    case .username: "username"
    case .password: "current-password"
    case .newPassword: "new-password"
    }
  }
}
