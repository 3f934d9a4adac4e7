import Coordinators
import CoordinatorsWeb
import Testing

@MainActor
@Suite("HTML of pages")
struct PageTests {
  private func html(_ page: Page<Place.Action>, texts: WebTexts = WebTexts()) async -> String {
    await Desk.page(page, texts: texts).get("/~1").body
  }

  private func form(_ fields: [PageField]) -> Page<Place.Action>.Element {
    .form(.init(id: "f", submit: "Save", fields: fields) { _ in .select("f") })
  }

  @Test("rows and facts are lists, and each row is a link beside its detail")
  func lists() async {
    let html = await html(
      Page("Words", [.fact(label: "Count", value: "2"), .row("fiets", detail: "bicycle", .select("fiets"))]))
    #expect(html.contains("<dl><div><dt>Count</dt><dd dir=\"auto\">2</dd></div></dl>"))
    let row =
      "<ul class=\"rows\"><li><a href=\"/~1?~row=fiets\" id=\"row-fiets\" dir=\"auto\">fiets</a> "
      + "<small dir=\"auto\">bicycle</small></li></ul>"
    #expect(html.contains(row), "\(html)")
  }

  @Test("images have a text, and tables a caption, headers and aligned numbers")
  func imagesAndTables() async {
    let table = PageTable("Ingredients", columns: ["Name", .number("Grams")], rows: [["Flour", "250"], ["Salt"]])
    let html = await html(Page("Soup", [.image(PageImage("/soup.jpg", description: "A bowl")), .table(table)]))
    #expect(html.contains("<img src=\"/soup.jpg\" alt=\"A bowl\">"))
    #expect(
      html.contains("<div class=\"table\" role=\"region\" aria-labelledby=\"table-1\" tabindex=\"0\">")
        && html.contains("<caption id=\"table-1\">Ingredients</caption>"))
    #expect(html.contains("<th class=\"number\" scope=\"col\" dir=\"auto\">Grams</th>"))
    #expect(html.contains("<td dir=\"auto\">Salt</td><td class=\"number\" dir=\"auto\"></td></tr>"), "\(html)")
  }

  @Test("every kind of field has a label and its own control")
  func kindsOfFields() async {
    let choices = [PageField.Choice("a", "Alpha"), .init("b", "Beta")]
    let html = await html(
      Page(
        "Form",
        [
          form([
            PageField("text", "Text", value: "x", isRequired: true, hint: "Hint."),
            PageField("secret", "Secret", kind: .secret, value: "tulp"), PageField("find", "Find", kind: .search),
            PageField("lines", "Lines", kind: .multiline, value: "\none\n<two>"),
            PageField("number", "Number", kind: .number(in: 1...2.5), value: "2"),
            PageField("choice", "Choice", kind: .choice(choices), value: "b"),
            PageField("required", "Required", kind: .choice(choices), value: "a", isRequired: true),
            PageField("check", "Check", kind: .checkbox, value: "on", error: "No."),
          ])
        ]))
    for part in [
      "<p class=\"required\"><label for=\"field-f:text\">Text</label><input id=\"field-f:text\" name=\"field-text\" required=\"\" "
        + "aria-describedby=\"field-f:text:hint\" type=\"text\" dir=\"auto\" value=\"x\">"
        + "<span class=\"hint\" id=\"field-f:text:hint\" dir=\"auto\">Hint.</span></p>",
      "<input id=\"field-f:secret\" name=\"secret-secret\" type=\"password\">",
      "<input id=\"field-f:find\" name=\"field-find\" type=\"search\" dir=\"auto\" value=\"\">",
      "<textarea id=\"field-f:lines\" name=\"field-lines\" dir=\"auto\">\n\none\n&lt;two&gt;</textarea>",
      "type=\"number\" step=\"any\" value=\"2\" min=\"1.0\" max=\"2.5\">",
      "<select id=\"field-f:choice\" name=\"field-choice\"><option value=\"\"></option><option value=\"a\">Alpha</option>"
        + "<option value=\"b\" selected=\"\">Beta</option></select>",
      "<select id=\"field-f:required\" name=\"field-required\" required=\"\"><option value=\"a\" selected=\"\">Alpha</option>",
      "<p class=\"checkbox\"><input id=\"field-f:check\" autofocus=\"\" name=\"field-check\" aria-invalid=\"true\" "
        + "aria-describedby=\"field-f:check:error\" type=\"checkbox\" value=\"on\" checked=\"\"><label for=\"field-f:check\">Check</label>"
        + "<span class=\"error\" id=\"field-f:check:error\" dir=\"auto\">No.</span></p>",
    ] { #expect(html.contains(part), "\(part) in \(html)") }
    #expect(!html.contains("role=\"search\""))
  }

  @Test("a form with one field for searches is a search bar")
  func searchBar() async {
    let html = await html(Page("Words", [form([PageField("find", "Find", kind: .search)])]))
    #expect(html.contains("<div role=\"search\"><form"))
  }

  @Test("the identities of elements never collide, whatever the names of forms, fields, rows and buttons")
  func identitiesNeverCollide() async {
    func form(_ id: String, _ fields: String...) -> Page<Place.Action>.Element {
      .form(
        .init(id: id, submit: "Save", fields: fields.map { PageField($0, $0, hint: "", error: "") }) { _ in .select(id)
        })
    }
    let response = await Desk.page(
      Page(
        "Names",
        [
          form("a-b", "c", "c-error", "c:error"), form("a", "b-c"), form("row", "x"), form("submit", "x"),
          form("table", "1"),
          form("x", ""), .row("x", .select("x")), .row("title", .select("x")),
          .button(.init(id: "x", "x", .refresh)), .table(PageTable("Empty", columns: [], rows: [])),
        ])
    ).get("/~1")
    let ids = response.values(of: " id")
    #expect(ids.count > 20 && Set(ids).count == ids.count, "\(ids)")
  }

  @Test("fields declare their kind of autofill")
  func fieldsDeclareAutofill() async {
    let fields = [PageField("none", "None")] + PageField.Autofill.allCases.map { PageField("\($0)", "", autofill: $0) }
    let response = await Desk.page(Page("Form", [form(fields)])).get("/~1")
    #expect(response.values(of: "autocomplete") == ["username", "current-password", "new-password"])
  }

  @Test("the first alert has the focus")
  func firstAlertHasFocus() async {
    let html = await html(
      Page(
        "Form", [.text("No.", role: .alert), .text("And no.", role: .alert), form([PageField("a", "A", error: "?")])]))
    #expect(html.contains("<p role=\"alert\" tabindex=\"-1\" id=\"alert\" autofocus=\"\" dir=\"auto\">No.</p>"))
    #expect(html.parts(by: "autofocus").count == 2)
  }

  @Test("each of several rows, forms or buttons with one identity has its own action")
  func duplicatesHaveTheirOwnActions() async {
    let desk = Desk.page(
      Page(
        "Twice",
        (1...2).flatMap { number -> [Page<Place.Action>.Element] in
          [
            .row(id: "r", "row \(number)", .select("row \(number)")),
            .form(.init(id: "f", submit: "Save", fields: []) { _ in .select("form \(number)") }),
            .button(.init(id: "b", "button \(number)", .send(.select("button \(number)")))),
          ]
        }))
    let page = await desk.get("/~1")
    for target in page.values(of: "href") where target.contains("~row") { _ = await desk.get(target) }
    for target in page.values(of: "action") { _ = await desk.post(target) }
    #expect(
      desk.recorder.sent == ["row 1", "row 2", "form 1", "button 1", "form 2", "button 2"].map { .select($0) })
  }

  @Test("buttons below a list are written above it, and other elements stay in their order")
  func buttonsAreWrittenAboveList() async {
    func button(_ id: String) -> Page<Place.Action>.Element { .button(.init(id: id, id, .refresh)) }
    func row(_ id: String) -> Page<Place.Action>.Element { .row(id, .select(id)) }
    let html = await html(
      Page("Order", [.text("note"), button("b1"), row("r1"), row("r2"), button("b2"), button("b3"), row("r3")]))
    let order = html.matches(of: #/>(note|[br][1-3])</#).map { String($0.1) }
    #expect(order == ["note", "b1", "b2", "b3", "r1", "r2", "r3"])
  }

  @Test(
    "every link and button has a visible text",
    arguments: ["", " \t\u{A0}"])
  func linksAndButtonsHaveVisibleText(text: String) async {
    var texts = WebTexts()
    texts.untitled = "Zonder titel"
    let html = await html(
      Page(text, [.row(id: "r", text, .select("r")), .button(.init(id: "b", text, .refresh))]), texts: texts)
    for end in ["</a>", "</button>", "</title>", "</h1>"] { #expect(html.contains(">Zonder titel\(end)"), "\(html)") }
  }

  @Test(
    "markup in content is escaped",
    arguments: [
      "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' autofocus onfocus='alert(1)", "&lt;b&gt;",
      "</title><script>", "\u{0}<\u{0}script>", "javascript:alert(1)", "{{constructor}}", "</style><script>",
    ])
  func markupInContentIsEscaped(text: String) async {
    let desk = Desk(.stack([.screen(Place.hostile(text))]))
    let (page, plain) = (
      await desk.get("/~1"), await Desk(.stack([.screen(Place.hostile("x"))])).get("/~1")
    )
    // The page has the same tags and attributes as with harmless text.
    #expect(Self.tags(page.body) == Self.tags(plain.body), "\(page.body)")
    #expect(!page.body.contains("href=\"javascript"))
    for target in page.values(of: "href") where target.contains("~row") { _ = await desk.get(target) }
    #expect(desk.recorder.sent == [.select(text)])
  }

  /// The markup as a browser's tokenizer sees it: names of tags, with the names of their attributes.
  private static func tags(_ html: String) -> [String] {
    var (tags, tag, quote): ([String], String?, Character?) = ([], nil, nil)
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

@MainActor
@Suite("Language, words and look of pages")
struct TextTests {
  @Test(
    "the direction of a page follows its language",
    arguments: [
      ("he", "rtl"), ("ar-EG", "rtl"), ("ur-Latn", "ltr"), ("nl", "ltr"), ("pt-BR", "ltr"),
    ])
  func directionFollowsLanguage(language: String, direction: String) async {
    var texts = WebTexts()
    texts.language = language
    let html = await Desk.tabs(texts: texts).get("/~2").body
    #expect(html.contains("<html lang=\"\(language)\" dir=\"\(direction)\">"))
  }

  @Test("text in another language has a language and its direction, other text takes its own direction")
  func foreignText() async {
    var page = Page<Place.Action>(
      "fiets",
      [
        .text("אופניים", language: "he"), .text("I go by bike."), .text("Zinnen", role: .heading, language: "nl"),
        .fact(label: "Dutch", value: "de fiets", language: "nl"),
        .row(id: "r", "brood", detail: "bread", language: "nl\"><script>", .select("r")),
      ])
    page.titleLanguage = "nl"
    let html = await Desk.page(page).get("/~1").body
    for part in [
      "<title lang=\"nl\" dir=\"ltr\">fiets</title>", "<p lang=\"he\" dir=\"rtl\">אופניים</p>",
      "<p dir=\"auto\">I go by bike.</p>", "<h2 lang=\"nl\" dir=\"ltr\">Zinnen</h2>",
      "<dt>Dutch</dt><dd lang=\"nl\" dir=\"ltr\">de fiets</dd>",
      "lang=\"nl&quot;&gt;&lt;script&gt;\" dir=\"ltr\">brood</a>",
    ] { #expect(html.contains(part), "\(part) in \(html)") }
  }

  @Test("every word of the shell comes from the app's texts")
  func everyWordIsTheApps() async {
    var texts = WebTexts()
    (texts.back, texts.close, texts.tabs, texts.returnToApp) = ("Terug", "Sluiten", "Tabbladen", "Naar de app")
    (texts.noSuchPage, texts.wrongMethod, texts.expired) = ("Niet gevonden.", "Zo niet:", "Verlopen.")
    (texts.closed, texts.sendAgain, texts.noScreen) = ("Gesloten.", "Nog eens.", "Niets.")
    texts.tabTitles = ["words": "Woorden"]
    texts.page.missing = "Vul in."
    let desk = Desk.tabs(texts: texts)
    let first = await desk.get("/~2").body
    #expect(first.contains("<nav aria-label=\"Tabbladen\">") && first.contains(">Woorden</a>"))
    desk.push(.word("fiets"))
    #expect(await desk.get("/~\(desk.front.id.rawValue)").body.contains(">Terug</a>"))
    desk.present(.settings)
    let dialog = "/~\(desk.front.id.rawValue)"
    #expect(await desk.get(dialog).body.contains(">Sluiten</a>"))
    #expect(await desk.post("\(dialog)?~form=f", token: "x").body.contains(">Verlopen. Nog eens.</p>"))
    for (response, words) in [
      (await desk.get("/nergens"), "Niet gevonden."), (await desk.post("/~2"), "Zo niet: GET, HEAD."),
      (await desk.post("/~2?~refresh", token: "x"), "Verlopen."),
      (await desk.post("/~99?~form=f", node: 99), "Gesloten."),
    ] {
      #expect(response.body.contains(">\(words)</h1>") && response.body.contains(">Naar de app</a>"), "\(words)")
    }
    let empty = WebApp<Place>(texts: texts) { _ in Page("") }
    #expect(await empty.respond(to: WebRequest("GET", "/")).body.contains(">Niets.</h1>"))
  }

  @Test("the name of the app is in the title, the header and the favicon")
  func nameOfTheApp() async {
    let desk = Desk<Place>(.stack([.screen(.words)]), name: "Wörter & Co") { _ in Page("Words") }
    let html = await desk.get("/~1").body
    #expect(html.contains(">Words – Wörter &amp; Co</title>"))
    #expect(html.contains("<header><span class=\"app\">Wörter &amp; Co</span></header>"))
    #expect(html.contains("<link rel=\"icon\" href=\"data:image/svg+xml,") && html.contains("%3EW%3C%2Ftext%3E"))
    let first = Desk<Place>(.stack([.screen(.words)]), name: "Words") { _ in Page("Words") }
    #expect(await first.get("/~1").body.contains(">Words</title>"))
  }

  @Test("the theme sets the colours, the shape, the fonts and the icon, and its rules come last")
  func theme() async {
    var theme = WebTheme()
    (theme.accent, theme.onAccent, theme.radius, theme.icon) = ("#7f6600", "white", 3, "/icon.png")
    (theme.font, theme.appearance) = ("Georgia, serif", .dark)
    theme.styleSheet = "h1 { color: red } </style><script>"
    let html = await Desk<Place>(.stack([.screen(.words)]), theme: theme) { _ in Page("Words") }.get("/~1").body
    #expect(html.contains("color-scheme: dark; --accent: #7f6600; --on-accent: white; --radius: 3px;"))
    #expect(html.contains("--font: Georgia, serif;") && html.contains("href=\"/icon.png\""))
    #expect(html.contains("h1 { color: red } <\\/style><script></style>"))
  }
}
