public import Coordinators

/// A shell that writes pages, as a value: what it has of a navigation, and what a request does to it.
///
/// ```swift
/// var shell = WebShell<Screen>(token: token)
/// let acknowledgement = try shell.perform(batch)
/// switch shell.locate(request) {           // where the person is: the back button may have been pressed
/// case .here: break
/// case .moved(let skeleton): navigator.observe(skeleton)
/// case .answered(let response): return response
/// }
/// switch shell.command(request, on: page) {  // what the person wants there
/// case .show: return shell.response(page: page)
/// case .trigger(let trigger, let node): …
/// case .edit(let action, let node): …
/// case .answered(let response): return response
/// }
/// ```
///
/// - **Every screen has an address.** Links lead to addresses; what a form does is answered with the address of the screen
///   in sight then. So the history of a browser is a list of screens.
/// - **Going back in it is a swipe back:** whoever asks for a screen that others are on top of has gone back to it. The
///   shell takes the others away and tells the core, as any shell does. Where the screen is gone, the newest one is shown
///   that is older; going forward to one that is gone shows the one in sight.
/// - **Only who looks goes anywhere:** a HEAD request is answered and changes nothing, not even where the person is.
/// - **A post needs the token** that only the pages of this shell have, so no other site can send a form in somebody's
///   name. Links change nothing but where a person is.
///
/// It knows no socket: ``WebApp`` runs one for an app, and whatever server there is hands it requests.
public struct WebShell<Screen: NavigationScreen>: Sendable {
  /// What the shell has.
  public private(set) var tree = ShellTree<Screen>()
  /// The newest screen that it ever had: a browser's history may lead to it and to any older one.
  private var newest = NodeID(rawValue: -1)
  /// What a form has to bring along.
  let token: String
  /// The words that are not of the app's pages.
  let texts: WebTexts

  /// Creates a shell that has nothing yet.
  ///
  /// - Parameters:
  ///   - token: A secret of this shell's pages, which nobody can guess: 128 random bits or more, as text.
  ///   - texts: The language of the pages, and the words that the shell adds to them.
  public init(token: String, texts: WebTexts = WebTexts()) {
    self.token = token
    self.texts = texts
  }

  /// Where a request finds the person.
  public enum Location: Sendable {
    /// At the screen in sight.
    case here
    /// At another one that is there, or in another tab: this is what the shell has now.
    case moved(Skeleton)
    /// Nowhere: this is the answer.
    case answered(WebResponse)
  }

  /// What a request wants, where it finds the person.
  public enum Command: Sendable {
    /// To be shown the page.
    case show
    /// Something that a person did on the page of a node; afterwards the answer is ``WebShell/redirect``.
    case trigger(Page<Screen.Action>.Trigger, NodeID)
    /// The input of a form that is not submitted yet; respond with ``WebResponse/noContent``.
    case edit(Screen.Action, NodeID)
    /// Something that is answered at once.
    case answered(WebResponse)
  }

  /// Carries out a batch.
  ///
  /// - Returns: The acknowledgement, with what the shell has now.
  /// - Throws: `NavigationError` for commands that were not made for what it has.
  public mutating func perform(_ batch: Batch<Screen>) throws(NavigationError) -> Acknowledgement? {
    let acknowledgement = try tree.perform(batch)
    tree.navigation?.root.forEach { if $0.screen != nil { newest = max(newest, $0.id) } }
    return acknowledgement
  }

  /// Finds out where the person is who sent a request, and goes there.
  public mutating func locate(_ request: WebRequest) -> Location {
    guard let address = WebAddress(path: request.path) else { return .answered(problem(404, texts.noSuchPage)) }
    guard address.isChange == (request.method == .post) else {
      return .answered(problem(405, texts.wrongMethod))
    }
    // Nobody goes anywhere by asking whether there is something.
    if request.method == .head { return .answered(head(of: address)) }
    // Before anything is changed by it.
    if address.isChange, !isToken(request.form[tokenField]) {
      return .answered(problem(403, texts.foreignForm))
    }
    guard let front = tree.navigation?.front else { return .answered(problem(404, texts.nothingYet)) }
    guard let origin = address.origin else { return .answered(redirect) }
    if origin == front.id { return .here }
    // Input that arrives after its form was left must not bring the form back.
    if case .input = address { return .answered(.noContent) }
    if tree.goBack(to: origin) { return tree.skeleton.map { .moved($0) } ?? .here }
    // What was gone back from, or was logged out of, cannot be had again: what is there now is shown. Whoever asks for
    // the page of a screen that was below the one in sight has gone back all the same; not who asks for what never was one.
    if case .screen = address, isGone(origin), tree.goBack(before: origin) {
      return tree.skeleton.map { .moved($0) } ?? .here
    }
    return .answered(redirect)
  }

  /// Finds out what a request wants, once the person is where it comes from.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - page: The page of the screen in sight.
  public mutating func command(_ request: WebRequest, on page: Page<Screen.Action>) -> Command {
    guard let address = WebAddress(path: request.path), let node = tree.navigation?.front.id else {
      return .answered(redirect)
    }
    // Another request may have gone elsewhere while this one waited: what it wants is not for the page in sight now.
    guard address.origin == node else { return .answered(redirect) }
    switch address {
    case .home: return .answered(redirect)
    case .screen: return .show
    case .refresh: return .trigger(.refresh, node)
    case .row(let id, _):
      return page.row(id).map { .trigger(.send($0.action), node) } ?? .answered(redirect)
    case .button(let id, _):
      return page.button(id).map { .trigger($0.trigger, node) } ?? .answered(redirect)
    case .form(let id, _):
      guard let form = page.form(id) else { return .answered(redirect) }
      return .trigger(.send(form.action(for: request.values(of: form))), node)
    case .input(let id, _):
      guard let form = page.form(id), let action = form.editAction(for: request.values(of: form)) else {
        return .answered(.noContent)
      }
      return .edit(action, node)
    case .tab: return .answered(redirect)
    }
  }

  /// Selects the tab that a request asks for.
  ///
  /// - Returns: What the shell has now; `nil` when the request asks for no tab, or for one that is not there.
  public mutating func selectTab(_ request: WebRequest) -> Skeleton? {
    guard case .tab(let key, _)? = WebAddress(path: request.path) else { return nil }
    return tree.select(key, reselection: .popsToRoot) ? tree.skeleton : nil
  }

  /// Sends the browser to the screen in sight.
  public var redirect: WebResponse {
    .redirect(to: tree.navigation.map { WebAddress.screen($0.front.id).path } ?? "/")
  }

  /// Whether an identity can be that of a screen that was removed.
  private func isGone(_ id: NodeID) -> Bool {
    id.rawValue >= 0 && id <= newest && tree.navigation?[id] == nil
  }

  private func head(of address: WebAddress) -> WebResponse {
    guard let front = tree.navigation?.front else { return problem(404, texts.nothingYet) }
    guard address == .screen(front.id) else { return redirect }
    return WebResponse(
      status: 200, headers: written(status: 200, title: HTML.Phrase(""), refresh: false, body: []).headers)
  }

  /// Whether a text is the token; takes as long for any text of its length.
  private func isToken(_ text: String?) -> Bool {
    let (given, own) = (Array((text ?? "").utf8), Array(token.utf8))
    guard given.count == own.count, !own.isEmpty else { return false }
    return zip(given, own).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension WebRequest {
  /// The values of a form's fields in this request.
  fileprivate func values<Action>(of form: Page<Action>.Form) -> [String: String] {
    var values: [String: String] = [:]
    for field in form.fields { values[field.name] = self.form[fieldPrefix + field.name] }
    return values
  }
}

/// The name under which a form brings the token along; fields of the page have a prefix, so none can be taken for it.
let tokenField = "token"
let fieldPrefix = "field-"
