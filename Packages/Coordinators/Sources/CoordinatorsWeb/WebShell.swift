internal import Coordinators

/// Returns responses for a navigation and a page.
///
/// Every screen has an address. Links lead to addresses, and the response to a form redirects to one, so the history of a browser
/// is a list of screens.
struct WebShell<Screen: NavigationScreen> {
  let name: String
  let token: String
  let links: Links<Screen>?
  let theme: WebTheme
  let texts: WebTexts

  /// Returns the address of a screen.
  ///
  /// The path of its link belongs to the newest screen with this path; all others, and screens without a link, have their
  /// number.
  func address(of node: Node<Screen>, in navigation: Navigation<Screen>) -> String {
    guard let path = path(of: node.screen) else { return screenPrefix + String(node.id.rawValue) }
    var newest = node.id
    navigation.root.forEach { if $0.id > newest, self.path(of: $0.screen) == path { newest = $0.id } }
    return newest == node.id || navigation.front.id == node.id ? path : screenPrefix + String(node.id.rawValue)
  }

  /// Returns the path of a screen's link.
  func path(of screen: Screen?) -> String? {
    guard let links, let screen, let path = try? links.path(to: screen), !path.hasPrefix(screenPrefix) else {
      return nil
    }
    // Servers decode a path before they split it, and refuse an encoded slash.
    return path.prefix { $0 != "?" }.uppercased().contains("%2F") ? nil : path
  }

  /// Returns the response with the page of the visible screen, over the page `behind` in a modal.
  func response(
    _ page: Page<Screen.Action>, behind: Page<Screen.Action>?, in navigation: Navigation<Screen>, status: Int = 200,
    input: KeptInput? = nil, focus: String? = nil
  ) -> WebResponse {
    let address = address(of: navigation.front, in: navigation)
    let writer = PageWriter(
      page, at: address, of: navigation.front.id, token: token, texts: texts, input: input, opener: focus,
      isDialog: behind != nil)
    let title = texts.title(page.title, in: page.titleLanguage)
    let (back, refresh) = (back(in: navigation), refresh(page, writer))
    guard let behind else {
      let main = HTML("main", [back].compactMap(\.self) + writer.content)
      return document(status, title, address, [header(navigation, refresh), main])
    }
    let below = navigation.dismissIntent.flatMap { try? navigation.applying($0) } ?? navigation
    let dimmed = PageWriter(behind, at: "", of: below.front.id, token: "", texts: texts, isBehind: true)
    let bar = HTML("div", ["class": "bar"], [back, refresh].compactMap(\.self))
    let dialog = HTML(
      "div", ["role": "dialog", "aria-modal": "true", "aria-labelledby": "title"], [bar] + writer.content)
    return document(
      status, title, address,
      [
        HTML("div", ["inert": ""], header(below, self.refresh(behind, dimmed))),
        HTML("main", HTML("div", ["inert": ""], dimmed.content), HTML("div", ["class": "dialog"], dialog)),
      ])
  }

  /// Returns the response with an error page, and the input of a form that was not sent.
  func problem(_ status: Int, _ reason: String, input: [(name: String, value: String)] = []) -> WebResponse {
    let title = HTML.Phrase(reason)
    var main = [HTML("h1", ["id": "title"] + title.attributes, title.text)]
    if !input.isEmpty { main.append(HTML("dl", input.map { .fact($0.name, HTML.Phrase($0.value)) })) }
    main.append(HTML("p", HTML("a", ["href": "/"], .text(texts.returnToApp))))
    return document(status, title, nil, [header(nil, nil), HTML("main", main)])
  }

  func document(_ status: Int, _ title: HTML.Phrase, _ address: String?, _ body: [HTML]) -> WebResponse {
    let isNamed = !name.isEmpty && title.text.markup != HTML.text(name).markup
    let head: [HTML] = [
      .void("meta", ["charset": "utf-8"]),
      .void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
      // The first screen of an app often has the name of the app.
      HTML("title", title.attributes, title.text, .text(isNamed ? " – \(name)" : "")),
      .void("link", ["rel": "icon", "href": theme.icon(of: name)]), .style(theme.rules),
      HTML("script", ["src": scriptAddress, "defer": ""]),
    ]
    var headers = [
      "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "same-origin",
      "Content-Security-Policy":
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src * data:; font-src 'self'; "
        + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ]
    headers["Content-Location"] = address
    return WebResponse(
      status: status, headers: headers, body: HTML.document(language: texts.language, head: head, body: body))
  }

  private func header(_ navigation: Navigation<Screen>?, _ refresh: HTML?) -> HTML {
    let app = name.isEmpty ? nil : HTML("span", ["class": "app"], .text(name))
    let parts = [app, navigation.flatMap(tabs), refresh].compactMap(\.self)
    return parts.isEmpty ? .text("") : HTML("header", parts)
  }

  private func refresh(_ page: Page<Screen.Action>, _ writer: PageWriter<Screen.Action>) -> HTML? {
    guard page.isRefreshable else { return nil }
    let button = HTML("button", ["id": writer.prefix + "refresh"], HTML("span", .text(texts.refresh)))
    return writer.post(.refresh, "", ["class": "refresh"], [button])
  }

  private func tabs(in navigation: Navigation<Screen>) -> HTML? {
    guard case .tabs(let tabs, let selected)? = navigation.visibleTabs?.content else { return nil }
    let items = tabs.map { tab in
      // The link leads to the screen that the tab shows; on the selected tab, to the root of its stack.
      let chosen = navigation.selectIntent(tab.key).flatMap { try? navigation.applying($0) } ?? navigation
      let address = address(of: chosen.front, in: navigation)
      let link = HTML(
        "a", ["href": address, "aria-current": tab.key == selected ? "true" : nil], .text(texts.title(of: tab.key)))
      return HTML("li", link)
    }
    return HTML("nav", ["aria-label": texts.tabs], HTML("ul", items))
  }

  private func back(in navigation: Navigation<Screen>) -> HTML? {
    guard let behind = navigation.screenBehind else { return nil }
    let isClosing = navigation.screenBelowModal != nil && navigation.popIntent == nil
    let (name, words) = isClosing ? ("close", texts.close) : ("back", texts.back)
    return HTML(
      "p", HTML("a", ["href": address(of: behind, in: navigation), "rel": "prev", "class": name], .text(words)))
  }
}

/// The name of the form field with the token; the fields of a page have a prefix, so their names cannot collide with it.
let tokenField = "token"
/// The name of the form field with the number of the screen.
let nodeField = "node"

extension PageField {
  /// The name in the form; the prefix shows whether the value may be shown again.
  var inputName: String { (kind == .secret ? secretPrefix : fieldPrefix) + name }
}

let fieldPrefix = "field-"
private let secretPrefix = "secret-"
