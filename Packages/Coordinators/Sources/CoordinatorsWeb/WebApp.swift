@_exported public import Coordinators

/// An app in a browser: the pages of its screens and its coordinators, for one user.
///
/// ```swift
/// let app = WebApp(name: "Words", start: WordsCoordinator.init) { screen in
///   switch screen {
///   case .words: Page("Words", ["fiets", "brood"].map { .row($0, .select($0)) })
///   case .word(let word): Page(word, [.fact(label: "Dutch", value: word)])
///   }
/// }
/// let response = await app.respond(to: WebRequest("GET", "/"))
/// ```
///
/// - **Addresses:** with `links`, each screen with a link has its path as the address, such as `/words/fiets`. It can be
///   reloaded, bookmarked, shared and opened in another window. A request for a screen that the navigation does not contain
///   opens it with `Navigator.open(_:)`, where coordinators guard it. Other screens have a number.
/// - **The browser's back button is an intent:** a request for a screen below others removes those. A request for a removed
///   screen without a link redirects to the visible one.
/// - **A POST needs the token** that only the pages of this app have, so no other site can send a form for the user. Links
///   change only the visible screen, and HEAD requests change nothing.
///
/// It performs no I/O. ``WebSessions`` keeps an app for each browser.
@MainActor
public final class WebApp<Screen: NavigationScreen> {
  public let navigator: Navigator<Screen>
  public var onChange: (Navigation<Screen>) -> Void = { _ in }
  package let contents: ScreenContents<Screen>
  private let shell: WebShell<Screen>
  /// The removed screen of the last submitted form: a second click on its button is no lost input.
  private var submitted: NodeID?
  /// The element of each screen that opened the screen after it, by its `id`.
  private var openers: [NodeID: String] = [:]
  private var lastShown: NodeID?

  /// Creates an app that shows nothing until a coordinator starts in its ``navigator``.
  ///
  /// - Parameters:
  ///   - name: The name of the app, in the title and the header of each page.
  ///   - token: The secret of the forms: at least 128 random bits, as text. `nil` for a new one.
  ///   - links: The links of the screens, which become their addresses.
  ///   - theme: The look.
  ///   - texts: The language, and the words of the shell.
  ///   - navigation: A saved navigation.
  ///   - report: Receives calls that were ignored or refused; by default, they are written to the standard error.
  ///   - page: Makes the page of a screen.
  public init(
    name: String = "", token: String? = nil, links: Links<Screen>? = nil, theme: WebTheme = WebTheme(),
    texts: WebTexts = WebTexts(), restoring navigation: Navigation<Screen>? = nil,
    report: @escaping (CoordinatorReport) -> Void = CoordinatorReport.print,
    page: @escaping (Screen) -> Page<Screen.Action>
  ) {
    shell = WebShell(name: name, token: token ?? randomText(), links: links, theme: theme, texts: texts)
    navigator = Navigator(restoring: navigation, report: report)
    contents = ScreenContents(work: navigator.work, page: page)
    navigator.show = { [weak self] in self?.show($0) }
  }

  /// Creates an app, with the parameters of the other initialiser, and starts its first coordinator under the name `application`.
  public convenience init<Root: Coordinator>(
    name: String = "", token: String? = nil, start: (CoordinatorContext<Screen, Root.Output>) -> Root,
    links: Links<Screen>? = nil, theme: WebTheme = WebTheme(), texts: WebTexts = WebTexts(),
    restoring navigation: Navigation<Screen>? = nil,
    report: @escaping (CoordinatorReport) -> Void = CoordinatorReport.print,
    page: @escaping (Screen) -> Page<Screen.Action>
  ) where Root.Screen == Screen {
    self.init(
      name: name, token: token, links: links, theme: theme, texts: texts, restoring: navigation, report: report,
      page: page)
    navigator.start("application", make: start)
  }

  /// Responds to a request after all work that it starts has completed; fetches need their own timeouts.
  ///
  /// The response does not wait for content that is being refreshed: the page shows the old content with a note, and its script
  /// shows the new content. When the task is cancelled, for example because the browser disconnected, the response shows the
  /// current state.
  public func respond(to request: WebRequest) async -> WebResponse {
    if request.target == scriptAddress { return scriptResponse }
    let address = WebAddress(target: request.target)
    guard address.methods.contains(request.method) else { return wrongMethod(address.methods) }
    // A HEAD request must not change the visible screen.
    if request.method == "HEAD" { return head(address) }
    if request.method == "POST" { return await post(address, request.form) }
    if let response = await visit(address.page) { return response }
    guard let node = navigator.navigation?.front.id else { return shell.problem(404, shell.texts.noScreen) }
    await firstLoad()
    // Another request may have changed the visible screen during the wait.
    guard node == navigator.navigation?.front.id else { return redirect }
    switch address.command {
    case .row:
      guard let row = page.distinct.row(address.element) else { return redirect }
      openers[node] = rowID(address.element)
      navigator.send(row.action, from: node)
      await navigator.waitUntilIdle()
      return redirect
    case .wait: await navigator.waitUntilIdle()
    default: break
    }
    return navigator.navigation?.front.id == node ? response() : redirect
  }

  public func refresh(_ id: NodeID) { contents.refresh(id) }
}

// MARK: - Finding the page

extension WebApp {
  /// Makes the screen of an address visible; returns a response if the app shows another screen, or there is none.
  private func visit(_ page: String) async -> WebResponse? {
    guard let navigation = navigator.navigation else { return shell.problem(404, shell.texts.noScreen) }
    if page == shell.address(of: navigation.front, in: navigation) { return nil }
    if let id = WebAddress(page: page).screen {
      guard navigation[id]?.screen != nil else { return redirect }
      navigator.apply(.unwind(to: .node(id)))
      // A screen with a link is shown at its path.
      return navigator.navigation.map { shell.address(of: $0.front, in: $0) } == page ? nil : redirect
    }
    guard let screen = try? shell.links?.route(forPath: page), let path = shell.path(of: screen) else {
      guard page == "/" else { return shell.problem(404, shell.texts.noSuchPage) }
      // The app may be about to replace its first screen. A redirect to that screen would later look like the back button.
      await firstLoad()
      return redirect
    }
    if shell.path(of: navigation.front.screen) != path {
      var existing: NodeID?
      navigation.root.forEach { if shell.path(of: $0.screen) == path { existing = max($0.id, existing ?? $0.id) } }
      if let existing { navigator.apply(.unwind(to: .node(existing))) } else { navigator.open(screen) }
      await navigator.waitUntilIdle()
    }
    let hasSlash = page != "/" && page.prefix { $0 != "?" }.hasSuffix("/")
    return shell.path(of: navigator.navigation?.front.screen) == path && !hasSlash ? nil : redirect
  }

  private func head(_ address: WebAddress) -> WebResponse {
    let isLink = (try? shell.links?.route(forPath: address.page)) != nil
    let exists = isLink || address.page == "/" || address.screen.flatMap { navigator.navigation?[$0]?.screen } != nil
    return exists ? shell.document(200, HTML.Phrase(""), nil, []) : shell.problem(404, shell.texts.noSuchPage)
  }
}

// MARK: - Changing the app

extension WebApp {
  private func post(_ address: WebAddress, _ form: [String: String]) async -> WebResponse {
    // The token is checked before the request changes anything.
    guard isToken(form[tokenField]) else { return await expired(address, form) }
    let node = NodeID(rawValue: form[nodeField].flatMap { Int($0) } ?? -1)
    if node != navigator.navigation?.front.id {
      // Input that arrives after its form was left must not bring the form back.
      if address.command == .input { return .noContent }
      guard navigator.navigation?[node]?.screen != nil else {
        guard address.command == .form, submitted != node else { return redirect }
        return shell.problem(409, shell.texts.closed, input: form.shownInput)
      }
      navigator.apply(.unwind(to: .node(node)))
    }
    // If the user has returned to an earlier screen, its content must be loaded before its forms can be found.
    await firstLoad()
    // Another request may have changed the visible screen during the wait.
    guard node == navigator.navigation?.front.id else { return redirect }
    switch address.command {
    case .form: return await submit(address.element, on: node, form)
    case .input: return await edit(address.element, on: node, form)
    case .button:
      guard let button = page.distinct.button(address.element) else { return redirect }
      openers[node] = buttonID(button.id)
      switch button.trigger {
      case .refresh: refresh(node)
      case .send(let action):
        navigator.send(action, from: node)
        await navigator.waitUntilIdle()
      }
    case .refresh: refresh(node)
    case nil, .row, .wait: break
    }
    return redirect
  }

  private func submit(_ id: String, on node: NodeID, _ input: [String: String]) async -> WebResponse {
    guard let form = page.distinct.form(id) else { return redirect }
    let values = form.values(in: input)
    let problems = form.problems(in: values).mapValues { shell.texts.page.text(of: $0) }
    guard problems.isEmpty else { return response(422, KeptInput(form: id, values: values, problems: problems)) }
    openers[node] = submitID(id)
    navigator.send(form.action(for: values), from: node)
    await navigator.waitUntilIdle()
    if navigator.navigation?[node] == nil { submitted = node }
    guard navigator.navigation?.front.id == node, let refused = page.distinct.form(id),
      refused.fields.contains(where: { $0.error != nil })
    else { return redirect }
    // The page has the values that the app has changed, and the input for all others.
    let kept = values.filter { name, _ in refused.field(name)?.value == form.field(name)?.value }
    return response(422, KeptInput(form: id, values: kept))
  }

  /// The page after the edit is the response, so that it shows for example what a search has found.
  private func edit(_ id: String, on node: NodeID, _ input: [String: String]) async -> WebResponse {
    guard let form = page.distinct.form(id), let action = form.editAction(for: form.values(in: input)) else {
      return .noContent
    }
    navigator.send(action, from: node)
    await navigator.waitUntilIdle()
    return navigator.navigation?.front.id == node ? response() : redirect
  }

  /// Shows the input of an earlier session again, in its form if this session has it; another click sends it.
  private func expired(_ address: WebAddress, _ input: [String: String]) async -> WebResponse {
    let texts = shell.texts
    if address.command == .form, await visit(address.page) == nil {
      let node = navigator.navigation?.front.id
      await firstLoad()
      if node == navigator.navigation?.front.id, let form = page.distinct.form(address.element),
        input.shownInput.allSatisfy({ form.field($0.name) != nil })
      {
        let message = "\(texts.expired) \(texts.sendAgain)"
        return response(403, KeptInput(form: form.id, values: form.values(in: input), message: message))
      }
    }
    return shell.problem(403, texts.expired, input: input.shownInput)
  }

  /// Returns whether a text is the token, in time that depends only on its length.
  private func isToken(_ text: String?) -> Bool {
    let (given, own) = (Array((text ?? "").utf8), Array(shell.token.utf8))
    guard given.count == own.count, !own.isEmpty else { return false }
    return zip(given, own).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension Page.Form {
  /// Returns the values of the fields; a browser omits a checkbox that is not checked.
  fileprivate func values(in input: [String: String]) -> [String: String] {
    var values: [String: String] = [:]
    for field in fields { values[field.name] = input[field.inputName] ?? (field.kind == .checkbox ? "" : nil) }
    return values
  }
}

extension [String: String] {
  /// The names and values of fields that may be shown again.
  fileprivate var shownInput: [(name: String, value: String)] {
    filter { $0.key.hasPrefix(fieldPrefix) && !$0.value.isEmpty }.sorted { $0.key < $1.key }
      .map { (String($0.key.dropFirst(fieldPrefix.count)), $0.value) }
  }
}

// MARK: - Showing

extension WebApp {
  private var page: Page<Screen.Action> { navigator.navigation.map { contents.page(of: $0.front) } ?? Page("") }

  private func response(_ status: Int = 200, _ input: KeptInput? = nil) -> WebResponse {
    guard let navigation = navigator.navigation else { return shell.problem(404, shell.texts.noScreen) }
    let node = navigation.front.id
    // The user returns to this screen, so the focus returns to the element that opened the other one.
    let focus = lastShown == node ? nil : openers.removeValue(forKey: node)
    lastShown = node
    let behind = navigation.screenBelowModal.map { contents.page(of: $0) }
    return shell.response(page, behind: behind, in: navigation, status: status, input: input, focus: focus)
  }

  private var redirect: WebResponse {
    .redirect(to: navigator.navigation.map { shell.address(of: $0.front, in: $0) } ?? "/")
  }

  private func firstLoad() async {
    let page = page
    if !(page.isLoading && page.isRefreshable) { await navigator.waitUntilIdle() }
  }

  private func wrongMethod(_ allowed: [String]) -> WebResponse {
    let methods = allowed.joined(separator: ", ")
    var response = shell.problem(405, "\(shell.texts.wrongMethod) \(methods).")
    response.headers["Allow"] = methods
    return response
  }

  private func show(_ navigation: Navigation<Screen>) {
    openers = openers.filter { navigation[$0.key] != nil }
    contents.follow(navigation)
    onChange(navigation)
  }
}
