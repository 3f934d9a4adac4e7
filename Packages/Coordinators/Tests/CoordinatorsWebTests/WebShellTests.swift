import Coordinators
import CoordinatorsWeb
import Testing

enum Place: NavigationScreen {
  case words, word(String), settings, hostile(String)

  enum Action: Sendable, Hashable { case select(String), save(name: String, secret: String) }
}

struct Desk {
  private(set) var navigation: Navigation<Place>
  var shell: WebShell<Place>
  private(set) var sent: [Place.Action] = []

  init(_ blueprint: Blueprint<Place>, texts: WebTexts = WebTexts()) throws {
    shell = WebShell(token: "secret-token", texts: texts)
    navigation = try Navigation(blueprint)
    shell.show(navigation)
  }

  static func tabs(texts: WebTexts = WebTexts()) throws -> Desk {
    try Desk(
      .tabs([.tab("words", .stack([.screen(.words)])), .tab("settings", .stack([.screen(.settings)]))]), texts: texts)
  }

  func page(_ node: Node<Place>?) -> Page<Place.Action> {
    switch node?.screen {
    case .words:
      return Page("Words", ["fiets", "a/b", "..", "é&<"].map { .row(.init(id: $0, ListCell($0), .select($0))) })
    case .word(let word): return Page(word, [.fact(label: "Dutch", value: word), .text("Text.")])
    case .settings:
      let fields = [PageField("name", "Name", value: "Ayaka"), PageField("token", "Secret", kind: .secret, value: "x")]
      return Page(
        "Settings",
        [.form(.init(id: "f", submit: "Save", fields: fields) { .save(name: $0["name"], secret: $0["token"]) })])
    case .hostile(let text):
      let field = PageField(text, text, value: text)
      return Page(
        text,
        [
          .text(text), .text(text, role: .alert), .fact(label: text, value: text),
          .row(.init(id: text, ListCell(text, detail: text), .select(text))),
          .form(.init(id: text, submit: text, fields: [field]) { .select($0[text]) }),
          .button(.init(id: text, text, .send(.select(text)))),
        ])
    case nil: return Page("")
    }
  }

  mutating func apply(_ intent: Intent<Place>) throws {
    try navigation.apply(intent)
    shell.show(navigation)
  }

  /// Answers a request like `WebApp`, without coordinators.
  mutating func ask(_ method: WebRequest.Method, _ path: String, _ form: [String: String] = [:]) throws -> WebResponse {
    let request = WebRequest(method, path, form: form)
    switch shell.locate(request) {
    case .here: break
    case .elsewhere(let intent): try apply(intent)
    case .answered(let response): return response
    }
    if let intent = shell.selectTab(request) {
      try apply(intent)
      return shell.redirect
    }
    let page = page(shell.navigation?.front)
    switch shell.command(request, on: page) {
    case .show: return shell.response(page: page)
    case .answered(let response): return response
    case .edit(let action, _):
      sent.append(action)
      return .noContent
    case .trigger(.send(let action), _): sent.append(action)
    case .trigger(.refresh, _): break
    }
    return shell.redirect
  }

  static func addresses(_ html: String) -> [String] {
    html.split(separator: "\"").filter { $0.hasPrefix("/") }.map(String.init)
  }
}

extension WebTexts {
  static let dutch: WebTexts = {
    var texts = WebTexts()
    texts.language = "nl"
    (texts.back, texts.close, texts.loading, texts.refresh) = ("Terug", "Sluiten", "Laden…", "Vernieuwen")
    texts.tabs = "Tabbladen"
    texts.tabTitles = ["words": "Woorden"]
    texts.noSuchPage = "Deze pagina is er niet."
    texts.wrongMethod = "Zo gaat het niet."
    texts.invalidToken = "Dit formulier is niet van hier."
    texts.noScreen = "Er is nog niets."
    texts.untitled = "Zonder titel"
    texts.returnToApp = "Terug naar waar u was"
    return texts
  }()
}

@Suite("The web shell")
struct WebShellTests {
  @Test("closing a tab shows its neighbour, and requests for the closed tab lead to the neighbour")
  func requestsForClosedTabLeadToNeighbour() throws {
    var desk = try Desk.tabs()
    let (words, settings) = (NodeID(rawValue: 2), NodeID(rawValue: 4))
    #expect(desk.shell.navigation?.front.id == words)
    try desk.apply(.setTabs([.tab("settings", .screen(.words))], of: NodeID(rawValue: 0)))
    for path in ["/", "/screens/2", "/screens/2/rows/fiets", "/screens/2/tabs/words", "/screens/4/tabs/words"] {
      #expect(try desk.ask(.get, path).headers["Location"] == "/screens/\(settings.rawValue)", "\(path)")
    }
    let page = try desk.ask(.get, "/screens/4").body
    #expect(
      page.contains("Settings") && !page.contains("/tabs/words") && desk.sent.isEmpty
        && desk.shell.navigation == desk.navigation)
    // New tabs are shown.
    try desk.apply(
      .setTabs([.tab("more", .screen(.words)), .tab("settings", .screen(.words))], of: NodeID(rawValue: 0)))
    #expect(
      try desk.ask(.get, "/screens/4").body.contains("/screens/4/tabs/more") && desk.shell.navigation == desk.navigation
    )
  }

  @Test("a request for a page that was covered in the meantime has no effect")
  func requestForCoveredPageHasNoEffect() throws {
    var desk = try Desk(.stack([.screen(.words)]))
    let words = try #require(desk.shell.navigation?.front.id)
    let request = WebRequest(.get, "/screens/\(words.rawValue)/rows/fiets")
    guard case .here = desk.shell.locate(request) else { return #expect(Bool(false), "the screen is visible") }
    try desk.apply(.push(.screen(.words), onto: desk.navigation.root.id))
    guard case .answered(let response) = desk.shell.command(request, on: desk.page(desk.shell.navigation?.front))
    else { return #expect(Bool(false), "the row of another screen was selected") }
    #expect(response.status == 303)
  }

  @Test("the start address redirects to the visible screen")
  func startAddressRedirectsToVisibleScreen() throws {
    var desk = try Desk.tabs()
    let home = try desk.ask(.get, "/")
    #expect(home.status == 303 && home.headers["Location"] == "/screens/2")
    let page = try desk.ask(.get, "/screens/2")
    #expect(page.status == 200 && page.headers["Content-Type"] == "text/html; charset=utf-8")
    #expect(page.headers["Cache-Control"] == "no-store")
    #expect(page.headers["Content-Security-Policy"]?.contains("default-src 'none'") == true)
    #expect(page.body.contains("<h1 id=\"title\">Words</h1>"))
    #expect(page.body.contains("<a href=\"/screens/2/rows/fiets\">fiets</a>"))
    #expect(page.body.contains("<nav aria-label=\"Tabs\">") && page.body.contains("aria-current=\"true\">Words</a>"))
    #expect(!page.body.contains("<script") && !page.body.contains("rel=\"prev\""))
  }

  @Test("HEAD has the headers of GET and does not change the navigation")
  func headDoesNotNavigate() throws {
    var desk = try Desk.tabs()
    let stack = desk.navigation.root.children[0].id
    try desk.apply(.push(.screen(.word("fiets")), onto: stack))
    let front = try #require(desk.shell.navigation?.front.id)
    let here = try desk.ask(.head, "/screens/\(front.rawValue)")
    #expect(here.status == 200 && here.headers["Content-Type"] == "text/html; charset=utf-8")
    for path in ["/", "/screens/2", "/screens/4", "/screens/2/rows/fiets", "/screens/2/tabs/settings", "/screens/99"] {
      let answer = try desk.ask(.head, path)
      #expect(answer.status == 303 && answer.headers["Location"] == "/screens/\(front.rawValue)", "\(path)")
    }
    #expect(try desk.ask(.head, "/nowhere").status == 404)
    #expect(try desk.ask(.head, "/screens/4/forms/f", ["token": "secret-token"]).status == 405)
    #expect(desk.shell.navigation?.front.id == front && desk.sent.isEmpty && desk.shell.navigation == desk.navigation)
  }

  @Test("every text of the web shell comes from the app's texts")
  func everyTextIsTheApps() throws {
    var desk = try Desk.tabs(texts: .dutch)
    let first = try desk.ask(.get, "/screens/2").body
    #expect(first.contains("<html lang=\"nl\">") && first.contains("<nav aria-label=\"Tabbladen\">"))
    #expect(first.contains(">Woorden</a>") && first.contains(">Settings</a>"))
    try desk.apply(.push(.screen(.word("fiets")), onto: desk.navigation.root.children[0].id))
    #expect(try desk.ask(.get, "/screens/5").body.contains("rel=\"prev\">Terug</a>"))
    try desk.apply(.present(.stack([.screen(.settings)]), over: desk.navigation.root.id))
    #expect(try desk.ask(.get, "/screens/7").body.contains("rel=\"prev\">Sluiten</a>"))
    var page = desk.page(desk.shell.navigation?.front)
    (page.isLoading, page.isRefreshable) = (true, true)
    let loading = desk.shell.response(page: page).body
    #expect(loading.contains("role=\"status\">Laden…</p>") && loading.contains("<button>Vernieuwen</button>"))
    let refused = [
      try desk.ask(.get, "/nergens"), try desk.ask(.post, "/screens/2/rows/fiets"),
      try desk.ask(.post, "/screens/2/refresh"),
    ]
    #expect(refused.map(\.status) == [404, 405, 403])
    for (answer, words) in zip(
      refused, ["Deze pagina is er niet.", "Zo gaat het niet.", "Dit formulier is niet van hier."])
    {
      #expect(answer.body.contains(words) && answer.body.contains(">Terug naar waar u was</a>"))
    }
    let empty = WebShell<Place>(token: "t", texts: .dutch)
    guard case .answered(let nothing) = empty.locate(WebRequest(.get, "/")) else { return #expect(Bool(false)) }
    #expect(nothing.body.contains("Er is nog niets."))
  }

  @Test("a row with any identity has a working link")
  func rowWithAnyIdentityHasLink() throws {
    var desk = try Desk.tabs()
    let links = Desk.addresses(try desk.ask(.get, "/screens/2").body).filter { $0.contains("/rows/") }
    #expect(links == ["fiets", "a~2Fb", "~2E~2E", "~C3~A9~26~3C"].map { "/screens/2/rows/\($0)" })
    for link in links { _ = try desk.ask(.get, link) }
    #expect(desk.sent == [.select("fiets"), .select("a/b"), .select(".."), .select("é&<")])
    #expect(try desk.ask(.get, "/screens/2/rows/nobody").status == 303 && desk.sent.count == 4)
  }

  @Test("the browser's back button pops screens")
  func backButtonPopsScreens() throws {
    var desk = try Desk.tabs()
    let stack = desk.navigation.root.children[0].id
    try desk.apply(.push(.screen(.word("fiets")), onto: stack))
    try desk.apply(.push(.screen(.word("bel")), onto: stack))
    #expect(try desk.ask(.get, "/").headers["Location"] == "/screens/6")
    #expect(try desk.ask(.get, "/screens/6").body.contains("<a href=\"/screens/5\" rel=\"prev\">Back</a>"))
    #expect(try desk.ask(.get, "/screens/2").body.contains("Words</h1>"))
    #expect(desk.navigation.screenBehind == nil && desk.shell.navigation == desk.navigation)
    // The user goes forward. The popped screen no longer exists, so the visible screen is shown.
    let forward = try desk.ask(.get, "/screens/6")
    #expect(forward.status == 303 && forward.headers["Location"] == "/screens/2")
  }

  @Test(
    "the back button past a removed screen pops the screen above it, but a second click on the old page does not")
  func backButtonPastRemovedScreenPops() throws {
    var desk = try Desk.tabs()
    let stack = desk.navigation.root.children[0].id
    try desk.apply(.push(.screen(.word("search")), onto: stack))
    let search = desk.navigation.front.id
    try desk.apply(.setStack([.screen(.words), .screen(.word("found"))], of: stack))
    let found = desk.navigation.front.id
    let click = try desk.ask(.get, "/screens/\(search.rawValue)/rows/found")
    #expect(click.headers["Location"] == "/screens/\(found.rawValue)" && desk.navigation.front.id == found)
    let back = try desk.ask(.get, "/screens/\(search.rawValue)")
    #expect(back.status == 303 && back.headers["Location"] == "/screens/2")
    #expect(desk.navigation.front.screen == .words && desk.shell.navigation == desk.navigation)
  }

  @Test(
    "an address without a screen does not pop screens", arguments: ["0", "-7", "1", "3", "99"])
  func addressWithoutScreenDoesNotPop(id: String) throws {
    var desk = try Desk.tabs()
    try desk.apply(.push(.screen(.word("fiets")), onto: desk.navigation.root.children[0].id))
    let front = desk.navigation.front.id
    let answer = try desk.ask(.get, "/screens/\(id)")
    #expect(answer.headers["Location"] == "/screens/\(front.rawValue)" && desk.navigation.front.id == front)
  }

  @Test("a link on a page from the browser's history first pops to that page")
  func linkOnPageFromHistoryPopsFirst() throws {
    var desk = try Desk.tabs()
    try desk.apply(.push(.screen(.word("fiets")), onto: desk.navigation.root.children[0].id))
    _ = try desk.ask(.get, "/screens/2/rows/fiets")
    #expect(
      desk.sent == [.select("fiets")] && desk.navigation.front.screen == .words
        && desk.shell.navigation == desk.navigation)
  }

  @Test("going back to the covered page closes the modal")
  func goingBackClosesModal() throws {
    var desk = try Desk.tabs()
    try desk.apply(.present(.stack([.screen(.settings)]), over: desk.navigation.root.id))
    let page = try desk.ask(.get, "/screens/6")
    #expect(page.body.contains("<main><div role=\"dialog\" aria-modal=\"true\" aria-labelledby=\"title\">"))
    #expect(page.body.contains("<a href=\"/screens/2\" rel=\"prev\">Close</a>") && !page.body.contains("<nav"))
    _ = try desk.ask(.get, "/screens/2")
    #expect(desk.navigation.root.modal == nil && desk.shell.navigation == desk.navigation)
  }

  @Test("links select tabs, and the back button selects the previous tab")
  func linksSelectTabs() throws {
    var desk = try Desk.tabs()
    #expect(try desk.ask(.get, "/screens/2/tabs/settings").headers["Location"] == "/screens/4")
    #expect(desk.navigation.front.screen == .settings && desk.shell.navigation == desk.navigation)
    _ = try desk.ask(.get, "/screens/2")
    #expect(desk.navigation.front.screen == .words)
    #expect(try desk.ask(.get, "/screens/2/tabs/nobody").status == 303)
  }

  @Test("a form with the token is accepted, also if a field has the token's name")
  func formWithTokenIsAccepted() throws {
    var desk = try Desk.tabs()
    _ = try desk.ask(.get, "/screens/4")
    let page = try desk.ask(.get, "/screens/4").body
    #expect(page.contains("<label for=\"f-field-name\">Name</label>"))
    #expect(page.contains("name=\"field-name\" type=\"text\" value=\"Ayaka\""))
    #expect(page.contains("name=\"field-token\" type=\"password\" value=\"\""), "a secret is never sent to a browser")
    let answer = try desk.ask(
      .post, "/screens/4/forms/f", ["token": "secret-token", "field-name": "Mei", "field-token": "tulp"])
    #expect(answer.status == 303 && desk.sent == [.save(name: "Mei", secret: "tulp")])
  }

  @Test("a POST without the token is refused and changes nothing", arguments: ["", "secret-tokem", "secret"])
  func postWithoutTokenIsRefused(token: String) throws {
    var desk = try Desk.tabs()
    try desk.apply(.push(.screen(.word("fiets")), onto: desk.navigation.root.children[0].id))
    let front = desk.shell.navigation?.front.id
    for path in ["/screens/2/forms/f", "/screens/2/buttons/b", "/screens/2/refresh"] {
      #expect(try desk.ask(.post, path, ["token": token]).status == 403)
    }
    #expect(desk.sent.isEmpty && desk.shell.navigation?.front.id == front)
  }

  @Test("a shell without a token refuses every POST")
  func shellWithoutTokenRefusesPosts() throws {
    let shell = WebShell<Place>(token: "")
    guard case .answered(let response) = shell.locate(WebRequest(.post, "/screens/1/refresh", form: ["token": ""]))
    else {
      return #expect(Bool(false))
    }
    #expect(response.status == 403)
  }

  @Test("GET on the address of a form and POST on a link are refused")
  func wrongMethodsAreRefused() throws {
    var desk = try Desk.tabs()
    #expect(try desk.ask(.get, "/screens/4/forms/f", ["token": "secret-token"]).status == 405)
    #expect(try desk.ask(.post, "/screens/2/rows/fiets", ["token": "secret-token"]).status == 405)
    #expect(desk.sent.isEmpty)
  }

  @Test(
    "every path has a response",
    arguments: [
      "/x", "//", "/screens", "/screens/", "/screens/-1", "/screens/99999999999999999999", "/screens/2/rows",
      "/screens/2/rows/~", "/screens/2/rows/~Z", "/screens/2/rows/~F", "/screens/2/rows/~FF", "/screens/2/x/y",
      "/screens/2/rows/a/b", "\u{0}", "",
    ])
  func everyPathHasAResponse(path: String) throws {
    var desk = try Desk.tabs()
    #expect([303, 404].contains(try desk.ask(.get, path).status) && desk.sent.isEmpty)
  }

  @Test(
    "markup in content is escaped",
    arguments: [
      "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' autofocus onfocus='alert(1)", "&lt;b&gt;",
      "</title><script>", "\u{0}<\u{0}script>", "javascript:alert(1)", "{{constructor}}", "</style><script>",
    ])
  func markupInContentIsEscaped(text: String) throws {
    var desk = try Desk(.stack([.screen(.hostile(text))]))
    let html = try desk.ask(.get, "/screens/1").body
    let plain = try {
      var other = try Desk(.stack([.screen(.hostile("x"))]))
      return try other.ask(.get, "/screens/1").body
    }()
    // The page has the same tags and attributes as with harmless text.
    #expect(Self.tags(html) == Self.tags(plain), "\(html)")
    #expect(!html.contains("\u{0}") && !html.contains("href=\"javascript"))
    for address in Desk.addresses(html) where address.contains("/rows/") { _ = try desk.ask(.get, address) }
    #expect(desk.sent == [.select(text)])
  }

  /// The markup as a browser's tokenizer sees it: names of tags, with the names of their attributes.
  private static func tags(_ html: String) -> [String] {
    var tags: [String] = []
    var tag: String?
    var quote: Character?
    for character in html {
      guard let open = tag else {
        if character == "<" { tag = "" }
        continue
      }
      if let end = quote {
        if character == end { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == ">" {
        tags.append(open)
        tag = nil
      } else {
        tag = open + String(character)
      }
    }
    return tags
  }
}
