import Coordinators
import CoordinatorsWeb
import Testing

enum Draft: NavigationScreen {
  case draft(name: String, secret: String = ""), other

  enum Action: Sendable, Equatable { case typed(String, String), send(String, Double?, Bool) }
}

@MainActor
@Suite("Forms in a browser")
struct FormTests {
  private let desk = Desk<Draft>(.stack([.screen(.draft(name: ""))])) { screen in
    guard case .draft(let name, _) = screen else { return Page("Other") }
    let fields = [
      PageField("name", "Name", value: name, isRequired: true), PageField("secret", "Secret", kind: .secret),
      PageField("count", "Count", kind: .number(in: 1...9), value: "4"),
      PageField("news", "News", kind: .checkbox, value: "on"),
    ]
    let form = Page<Draft.Action>.Form(id: "f", submit: "Send", fields: fields) {
      .send($0["name"], $0.number("count"), $0.isOn("news"))
    } edited: {
      .typed($0["name"], $0["secret"])
    }
    return Page("Draft", [.form(form), .button(.init(id: "b", "Again", .send(.typed("b", ""))))])
  }

  init() {
    desk.recorder.react = { [context = desk.recorder.context] action, node in
      switch action {
      case .typed(let name, let secret): context.apply(.update(node.id, to: .draft(name: name, secret: secret)))
      case .send("refused", _, _): context.apply(.update(node.id, to: .draft(name: "refused")))
      case .send: context.push(.other)
      }
    }
  }

  @Test("a submitted form sends its action, and an unchecked checkbox is off")
  func submittedForm() async {
    #expect(
      await desk.post("/~1?~form=f", ["field-name": "a&b=c+é", "field-count": "2.5"]).location == "/~2")
    #expect(desk.recorder.sent == [.send("a&b=c+é", 2.5, false)])
  }

  @Test("values with problems show the form again with the input and the problems, and send nothing")
  func problemsShowTheFormAgain() async {
    let answer = await desk.post(
      "/~1?~form=f", ["field-name": "", "field-count": "12", "secret-secret": "tulp", "field-news": "on"])
    #expect(answer.status == 422 && desk.recorder.sent.isEmpty && !answer.body.contains("tulp"))
    let name =
      "id=\"field-f:name\" autofocus=\"\" name=\"field-name\" required=\"\" aria-invalid=\"true\" aria-describedby=\"field-f:name:error\""
    #expect(answer.body.contains(name), "\(answer.body)")
    #expect(answer.body.contains("id=\"field-f:name:error\" dir=\"auto\">Fill in this field.</span>"))
    #expect(answer.body.contains("value=\"12\"") && answer.body.contains("Enter a number from 1 to 9.</span>"))
    #expect(answer.body.contains("value=\"on\" checked=\"\">"))
  }

  @Test("a form that the app refuses keeps its input, except for secrets and values that the app has changed")
  func refusedFormKeepsItsInput() async {
    let desk = Desk<Draft>(.stack([.screen(.draft(name: ""))])) { screen in
      let isRefused = screen != .draft(name: "")
      let fields = [
        PageField("name", "Name", error: isRefused ? "Taken." : nil),
        PageField("count", "Count", value: isRefused ? "1" : "0"), PageField("secret", "Secret", kind: .secret),
      ]
      return Page("Draft", [.form(.init(id: "f", submit: "Send", fields: fields) { .send($0["name"], nil, false) })])
    }
    desk.recorder.react = { [context = desk.recorder.context] _, node in
      context.apply(.update(node.id, to: .draft(name: "refused")))
    }
    let answer = await desk.post(
      "/~1?~form=f", ["field-name": "ayaka", "field-count": "7", "secret-secret": "tulp"])
    #expect(answer.status == 422 && answer.body.contains("Taken.</span>") && !answer.body.contains("tulp"))
    #expect(answer.values(of: "value").suffix(2) == ["ayaka", "1"])
  }

  @Test("input reaches the screen before the form is submitted, secrets masked, and the response shows the new page")
  func inputReachesScreenBeforeSubmission() async {
    let page = await desk.get("/~1")
    #expect(page.values(of: "data-input") == ["/~1?~input=f"])
    let answer = await desk.post("/~1?~input=f", ["field-name": "ayaka", "secret-secret": "tulp"])
    #expect(answer.status == 200 && answer.body.contains("value=\"ayaka\"") && !answer.body.contains("tulp"))
    #expect(desk.front.screen == .draft(name: "ayaka", secret: "••••"))
  }

  @Test("input that arrives after its form was left does not bring the form back")
  func lateInput() async {
    _ = await desk.post("/~1?~form=f", ["field-name": "ayaka"])
    let late = await desk.post("/~1?~input=f", ["field-name": "ayak"], node: 1)
    #expect(late.status == 204 && desk.front.screen == .other)
  }

  @Test(
    "a POST without the token sends nothing, and the form is shown again with its input",
    arguments: ["", "secret-tokem", "secret"])
  func postWithoutToken(token: String) async {
    let answer = await desk.post(
      "/~1?~form=f", ["field-name": "soup", "secret-secret": "tulp", "field-news": "on"], token: token)
    #expect(answer.status == 403 && desk.recorder.sent.isEmpty && !answer.body.contains("tulp"))
    #expect(answer.body.contains("autofocus") && answer.body.contains("value=\"soup\""))
    #expect(answer.body.contains("Your session has expired. Check your input and send it again.</p>"))
    #expect(answer.values(of: "value").contains("secret-token"), "another click sends it")
    for target in ["/~1?~button=b", "/~1?~refresh", "/~1?~input=f"] {
      #expect(await desk.post(target, token: token).status == 403)
    }
    #expect(desk.recorder.sent.isEmpty)
  }

  @Test("the input for a form that the new session does not have is listed, without secrets")
  func inputWithoutItsForm() async {
    let fields = ["field-title": "My <soup>", "secret-password": "tulp", "field-empty": ""]
    for target in ["/~1?~form=f", "/~9?~form=f", "/nowhere?~form=f"] {
      let answer = await desk.post(target, fields, token: "old")
      #expect(answer.status == 403 && answer.body.contains("<dt>title</dt><dd dir=\"auto\">My &lt;soup&gt;</dd>"))
      #expect(
        !answer.body.contains("tulp") && !answer.body.contains("empty") && answer.values(of: "href").contains("/"))
    }
  }

  @Test("a second click on a submitted form is ignored, but input for a form that another window closed is listed")
  func formOfARemovedScreen() async {
    desk.recorder.react = { [context = desk.recorder.context] _, _ in
      context.apply(.setStack([.screen(.other)], of: NodeID(rawValue: 0)))
    }
    let fields = ["field-name": "soup"]
    #expect(await desk.post("/~1?~form=f", fields, node: 1).location == "/~2")
    #expect(await desk.post("/~1?~form=f", fields, node: 1).location == "/~2")
    #expect(desk.recorder.sent.count == 1)
    desk.app.navigator.apply(.push(.screen(.draft(name: "")), onto: NodeID(rawValue: 0)))
    let draft = desk.front.id.rawValue
    _ = await desk.get("/~2")
    let answer = await desk.post("/~\(draft)?~form=f", fields, node: draft)
    #expect(answer.status == 409 && answer.body.contains(">soup</dd>") && desk.recorder.sent.count == 1)
  }

  @Test("an app without a token refuses every POST")
  func appWithoutToken() async {
    let app = WebApp<Draft>(token: "") { _ in Page("Draft") }
    #expect(await app.respond(to: .form("/~1?~refresh", ["token": ""])).status == 403)
  }
}

@MainActor
@Suite("Dialogs in a browser")
struct DialogTests {
  @Test("everything outside of a dialog is inert, the header stays, and the page below is behind it")
  func outsideIsInert() async {
    let desk = Desk.tabs()
    desk.present(.settings)
    let html = await desk.get("/~6").body
    let parts = html.parts(by: "<div class=\"dialog\">")
    #expect(parts.count == 2)
    let (outside, dialog) = (parts[0].parts(by: "<body>")[1], parts[1])
    // Two inert parts hold everything before the dialog: the header, and the page below it.
    #expect(outside.hasPrefix("<div inert=\"\"><header><nav"), "\(outside)")
    #expect(outside.contains("</header></div><main><div inert=\"\"><p class=\"title\" dir=\"auto\">Words</p>"))
    #expect(outside.hasSuffix("</ul></div>") && !outside.contains("autofocus"))
    #expect(dialog.hasPrefix("<div role=\"dialog\" aria-modal=\"true\" aria-labelledby=\"title\">"))
    #expect(dialog.contains("<a href=\"/~2\" rel=\"prev\" class=\"close\">Close</a>"))
    #expect(dialog.contains("<h1 id=\"title\" tabindex=\"-1\" dir=\"auto\">Settings</h1>"))
    #expect(dialog.hasSuffix("</div></div></main></body></html>\n"))
    let ids = WebResponse(status: 200, body: html).values(of: " id")
    #expect(Set(ids).count == ids.count, "\(ids)")
  }

  @Test("the focus moves to the first field of a dialog, or to its title, and returns to the element that opened it")
  func focusMovesInAndReturns() async {
    let desk = Desk(.stack([.screen(.words)])) { place in
      place == .words
        ? Page("Words", [.row("fiets", .select("r")), .button(.init(id: "b", "Add", .send(.select("b"))))])
        : Desk.page(of: place)
    }
    desk.recorder.react = { [context = desk.recorder.context] action, _ in
      context.present(action == .select("b") ? .settings : .word("fiets"))
    }
    #expect(await !desk.get("/~1").body.contains("autofocus"))
    let dialog = await desk.post("/~1?~button=b").location ?? ""
    #expect(await desk.get(dialog).body.contains("id=\"field-f:name\" autofocus"))
    #expect(await desk.get("/~1").body.contains("id=\"button-b\" autofocus"))
    #expect(await !desk.get("/~1").body.contains("autofocus"), "a reload does not move the focus")
    let second = await desk.get("/~1?~row=fiets").location ?? ""
    #expect(await desk.get(second).body.contains("id=\"title\" autofocus"))
    #expect(await desk.get("/~1").body.contains("id=\"row-fiets\" autofocus"))
    #expect(desk.navigation.root.modal == nil)
  }

  @Test("a pushed screen in a dialog has a link back instead of Close")
  func pushedScreenInDialog() async {
    let desk = Desk.tabs()
    desk.app.navigator.apply(
      .present(.stack([.screen(.settings), .screen(.word("fiets"))]), over: desk.navigation.root.id))
    let page = await desk.get("/~7").body
    #expect(
      page.contains("<a href=\"/~6\" rel=\"prev\" class=\"back\">Back</a>") && page.contains("role=\"dialog\""))
  }
}
