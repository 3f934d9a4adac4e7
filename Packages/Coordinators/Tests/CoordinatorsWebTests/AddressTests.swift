import Coordinators
import CoordinatorsWeb
import Testing

/// The screens of an app whose recipes have links.
enum Kitchen: NavigationScreen {
  case recipes, recipe(Int), find(String), draft

  static let links = Links<Kitchen>(scheme: "kitchen") {
    Link("recipes", to: .recipes)
    Link("recipes/:id", .int, to: Kitchen.recipe, from: { if case .recipe(let id) = $0 { id } else { nil } })
    Link("find?q=:text", .string, to: Kitchen.find, from: { if case .find(let text) = $0 { text } else { nil } })
  }

  static let tabs = Node<Kitchen>.tabs([
    .tab("recipes", .stack([.screen(.recipes)])), .tab("favourites", .stack([.screen(.recipe(9))])),
  ])
}

@MainActor
@Suite("Addresses of screens with a link")
struct LinkAddressTests {
  private let desk = Desk(Kitchen.tabs, links: Kitchen.links) { screen in
    switch screen {
    case .recipes: Page("Recipes", [.row("Soup", .recipe(42))])
    case .recipe(let id): Page("Recipe \(id)", [.row("Find", .find("é &+?"))])
    case .find(let text): Page("Find \(text)", [.row("Soup", .recipe(42))])
    case .draft: Page("Draft")
    }
  }

  init() { desk.recorder.react = { [recorder = desk.recorder] screen, _ in recorder.context.push(screen) } }

  @Test("each screen has the path of its link, and its row leads there")
  func screensHaveTheirPaths() async {
    #expect(await desk.get("/").location == "/recipes")
    #expect(await desk.get("/recipes?~row=Soup").location == "/recipes/42")
    let page = await desk.get("/recipes/42")
    #expect(page.status == 200 && page.body.contains(">Recipe 42</h1>"))
    #expect(page.headers["Content-Location"] == "/recipes/42")
    #expect(await desk.get("/recipes/42?~row=Find").location == "/find?q=%C3%A9%20%26%2B?")
    let found = await desk.get("/find?q=%C3%A9%20%26%2B?")
    #expect(found.status == 200 && found.values(of: "href").contains("/find?q=%C3%A9%20%26%2B?&~row=Soup"))
    #expect(await desk.get("/find?~row=Soup&q=%C3%A9+%26%2B?").location == "/recipes/42")
    #expect(desk.recorder.opened == [])
  }

  @Test("a reload, a variant and the back button do not open the screen again")
  func requestsForOpenScreens() async {
    desk.push(.recipe(42))
    desk.push(.recipe(7))
    for path in ["/recipes/7", "/recipes/7?utm=x"] { #expect(await desk.get(path).status == 200) }
    #expect(await desk.get("/recipes/42").status == 200 && desk.front.screen == .recipe(42))
    #expect(await desk.get("/recipes").status == 200 && desk.front.screen == .recipes)
    #expect(desk.recorder.opened == [])
  }

  @Test(
    "an address with a slash at its end redirects to the address without it",
    arguments: ["/recipes/42/", "/recipes/42//?~row"])
  func slashAtTheEnd(path: String) async {
    #expect(await desk.get(path).location == "/recipes/42")
    desk.push(.draft)
    let draft = desk.front.id.rawValue
    #expect(await desk.get("/~\(draft)/").location == "/~\(draft)" && desk.front.screen == .draft)
  }

  @Test("a screen whose link looks like a number of a screen has a number, and every other link is an address")
  func linksThatLookLikeNumbers() async {
    let links = Links<Kitchen>(scheme: "kitchen") {
      Link("~7", to: .draft)
      Link("screens/7", to: .recipe(7))
    }
    let desk = Desk<Kitchen>(.stack([.screen(.draft)]), links: links) { Page("\($0)") }
    #expect(await desk.get("/").location == "/~1")
    #expect(await desk.get("/screens/7").body.contains(">recipe(7)</h1>"))
  }

  @Test("a bookmark or the address of another window opens its screen")
  func bookmarkOpensItsScreen() async {
    #expect(await desk.get("/recipes/5").body.contains(">Recipe 5</h1>"))
    // The forward button after a step back.
    #expect(await desk.get("/recipes").status == 200)
    #expect(await desk.get("/recipes/5").status == 200)
    #expect(desk.recorder.opened == [.recipe(5), .recipe(5)])
    // A row of a page in a window whose screen another window has left.
    #expect(await desk.get("/recipes/6?~row=Find").location == "/find?q=%C3%A9%20%26%2B?")
  }

  @Test("a link that the app guards redirects to the screen that the app shows instead")
  func guardedLinkRedirects() async {
    desk.recorder.guardLinks = { $0 == .recipe(42) ? .draft : nil }
    let refused = await desk.get("/recipes/42")
    #expect(refused.location == "/~\(desk.front.id.rawValue)" && desk.front.screen == .draft)
    #expect(await desk.get(refused.location ?? "").body.contains(">Draft</h1>"))
  }

  @Test("the same screen twice: the link back, and a tab, lead to the other one by its number")
  func sameScreenTwice() async {
    desk.push(.recipe(42))
    let first = desk.front.id.rawValue
    desk.push(.recipe(42))
    let page = await desk.get("/recipes/42")
    #expect(page.body.contains("href=\"/~\(first)\" rel=\"prev\""))
    #expect(await desk.get("/~\(first)").location == "/recipes/42" && desk.front.id.rawValue == first)
    desk.push(.recipe(9))
    let tabs = await desk.get("/recipes/9").values(of: "href")
    let favourite = desk.navigation.root.children[1].front.id.rawValue
    #expect(tabs.contains("/~\(favourite)"))
    #expect(await desk.get("/~\(favourite)").location == "/recipes/9" && desk.front.id.rawValue == favourite)
  }

  @Test("an unknown path is a page for users with a link to the app, and HEAD opens nothing")
  func unknownPath() async {
    let page = await desk.get("/recipes/soup")
    #expect(
      page.status == 404 && page.body.contains("<h1 id=\"title\" dir=\"auto\">Page not found.</h1><p><a href=\"/\">"))
    #expect(await desk.get("/~none").status == 404)
    for (path, status) in [
      ("/recipes/5", 200), ("/recipes", 200), ("/recipes?~row=Soup", 200), ("/", 200), ("/nowhere", 404), ("/~99", 404),
    ] {
      #expect(await desk.app.respond(to: WebRequest("HEAD", path)).status == status, "\(path)")
    }
    #expect(desk.front.screen == .recipes && desk.recorder.opened == [] && desk.recorder.sent == [])
  }
}

@MainActor
@Suite("Addresses of screens without a link")
struct NumberAddressTests {
  @Test("the start address redirects to the visible screen")
  func startAddress() async {
    let desk = Desk.tabs()
    #expect(await desk.get("/").location == "/~2")
    let page = await desk.get("/~2")
    #expect(page.status == 200 && page.headers["Content-Type"] == "text/html; charset=utf-8")
    #expect(page.headers["Cache-Control"] == "no-store")
    #expect(page.headers["Content-Security-Policy"]?.contains("default-src 'none'; script-src 'self'") == true)
    #expect(page.body.contains(">Words</h1>") && !page.body.contains("rel=\"prev\""))
    #expect(page.body.contains("<nav aria-label=\"Tabs\">") && page.body.contains("aria-current=\"true\">Words</a>"))
  }

  @Test("a row with any identity has a working link")
  func rowWithAnyIdentityHasLink() async {
    let desk = Desk.tabs()
    for link in await desk.get("/~2").values(of: "href") where link.contains("~row") { _ = await desk.get(link) }
    #expect(desk.recorder.sent == ["fiets", "a/b", "..", "é&<"].map { .select($0) })
  }

  @Test("the browser's back button pops screens, and the forward button shows the visible one")
  func backButtonPopsScreens() async {
    let desk = Desk.tabs()
    desk.push(.word("fiets"))
    let front = desk.front.id.rawValue
    #expect(
      await desk.get("/~\(front)").body.contains("<a href=\"/~2\" rel=\"prev\" class=\"back\">Back</a>"))
    #expect(await desk.get("/~2").body.contains(">Words</h1>"))
    #expect(desk.navigation.screenBehind == nil)
    #expect(await desk.get("/~\(front)").location == "/~2")
  }

  @Test("the address of a removed screen redirects to the visible one")
  func removedScreenRedirects() async {
    let desk = Desk.tabs()
    let stack = desk.navigation.root.children[0].id
    desk.push(.word("search"))
    let search = desk.front.id.rawValue
    desk.app.navigator.apply(.setStack([.screen(.words), .screen(.word("found"))], of: stack))
    let found = desk.front.id.rawValue
    #expect(await desk.post("/~\(search)?~button=b", node: search).location == "/~\(found)")
    #expect(desk.front.id.rawValue == found)
    #expect(await desk.get("/~\(search)").location == "/~\(found)")
  }

  @Test("an address without a screen does not pop screens", arguments: ["0", "-7", "1", "3", "99"])
  func addressWithoutScreenDoesNotPop(id: String) async {
    let desk = Desk.tabs()
    desk.push(.word("fiets"))
    let front = desk.front.id
    #expect(await desk.get("/~\(id)").location == "/~\(front.rawValue)" && desk.front.id == front)
  }

  @Test("a link on a page from the browser's history first pops to that page")
  func linkOnPageFromHistoryPopsFirst() async {
    let desk = Desk.tabs()
    desk.push(.word("fiets"))
    _ = await desk.get("/~2?~row=fiets")
    #expect(desk.recorder.sent == [.select("fiets")] && desk.front.screen == .words)
  }

  @Test("links select tabs, the selected tab leads to its root, and the back button selects the previous tab")
  func linksSelectTabs() async {
    let desk = Desk.tabs()
    desk.push(.word("fiets"))
    let words = desk.front.id.rawValue
    #expect(await desk.get("/~\(words)").values(of: "href").contains("/~2"))
    #expect(await desk.get("/~4").values(of: "href").contains("/~\(words)"))
    #expect(desk.front.screen == .settings)
    _ = await desk.get("/~\(words)")
    #expect(desk.front.screen == .word("fiets"))
  }

  @Test("a method that an address does not allow is refused with the methods that it allows")
  func wrongMethods() async {
    let desk = Desk.tabs()
    for (method, target, allowed) in [
      ("POST", "/~2?~row=fiets", "GET, HEAD"), ("POST", "/~2", "GET, HEAD"),
      ("PUT", "/~2", "GET, HEAD"), ("DELETE", "/~4?~form=f", "GET, HEAD, POST"),
    ] {
      let answer = await desk.app.respond(to: WebRequest(method, target))
      #expect(answer.status == 405 && answer.headers["Allow"] == allowed && answer.body.contains("\(allowed).</h1>"))
    }
    // Opened again from the address bar after an error, the address of a form shows its page.
    #expect(await desk.get("/~4?~form=f").body.contains(">Settings</h1>"))
    #expect(desk.recorder.sent.isEmpty)
  }

  @Test(
    "every path has a response",
    arguments: [
      "/x", "//", "/~", "/~-1", "/~99999999999999999999", "/~2/rows", "?", "/~2?~row=%+5",
      "/~2?~row", "/~2?~row=%", "/~2?~row=%FF", "/~2?~x=y", "/~2?~form=f&~row=q",
      "\u{0}", "",
    ])
  func everyPathHasAResponse(path: String) async {
    let desk = Desk.tabs()
    #expect([200, 303, 404].contains(await desk.get(path).status) && desk.recorder.sent.isEmpty)
  }
}
