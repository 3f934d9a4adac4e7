public import Coordinators

/// A shell that writes pages, as a value: a navigation, and the meaning of requests.
///
/// ```swift
/// var shell = WebShell<Screen>(token: token)
/// shell.show(navigation)
/// switch shell.locate(request) {           // the user may have pressed the back button
/// case .here: break
/// case .elsewhere(let intent): navigator.apply(intent)
/// case .answered(let response): return response
/// }
/// switch shell.command(request, on: page) {  // the command of the request
/// case .show: return shell.response(page: page)
/// case .trigger(let trigger, let node): …
/// case .edit(let action, let node): …
/// case .answered(let response): return response
/// }
/// ```
///
/// - **Every screen has an address.** Links lead to addresses, and the response to a form redirects to the address of the
///   visible screen. So the history of a browser is a list of screens.
/// - **The browser's back button is an intent:** a request for a screen below others means that the user went back to it.
///   If that screen was removed, the newest older screen is shown. The forward button to a removed screen shows the visible
///   screen.
/// - **A HEAD request changes nothing,** not even the visible screen.
/// - **A POST needs the token** that only the pages of this shell have, so no other site can send a form for the user.
///   Links change only the visible screen.
///
/// It performs no I/O: a server passes requests to a ``WebApp``.
public struct WebShell<Screen: NavigationScreen>: Sendable {
  public private(set) var navigation: Navigation<Screen>?
  /// The newest screen so far: a browser's history may contain it and any older one.
  private var newest = NodeID(rawValue: -1)
  let token: String
  let texts: WebTexts

  /// Creates a shell that shows nothing yet.
  ///
  /// `token` must be impossible to guess: at least 128 random bits, as text.
  public init(token: String, texts: WebTexts = WebTexts()) {
    self.token = token
    self.texts = texts
  }

  public enum Location: Sendable {
    case here
    /// Another screen, which this intent makes visible.
    case elsewhere(Intent<Screen>)
    /// No screen; send this response.
    case answered(WebResponse)
  }

  public enum Command: Sendable {
    case show
    /// Perform an action of the user on the page of a node, and then respond with ``WebShell/redirect``.
    case trigger(Page<Screen.Action>.Trigger, NodeID)
    /// The input of a form that is not submitted yet; respond with ``WebResponse/noContent``.
    case edit(Screen.Action, NodeID)
    case answered(WebResponse)
  }

  public mutating func show(_ navigation: Navigation<Screen>) {
    self.navigation = navigation
    navigation.root.forEach { if $0.screen != nil { newest = max(newest, $0.id) } }
  }

  public func locate(_ request: WebRequest) -> Location {
    guard let address = WebAddress(path: request.path) else { return .answered(problem(404, texts.noSuchPage)) }
    guard address.isChange == (request.method == .post) else {
      return .answered(problem(405, texts.wrongMethod))
    }
    // A HEAD request must not change the visible screen.
    if request.method == .head { return .answered(head(of: address)) }
    // The token is checked before the request changes anything.
    if address.isChange, !isToken(request.form[tokenField]) {
      return .answered(problem(403, texts.invalidToken))
    }
    guard let front = navigation?.front else { return .answered(problem(404, texts.noScreen)) }
    guard let origin = address.origin else { return .answered(redirect) }
    if origin == front.id { return .here }
    // Input that arrives after its form was left must not bring the form back.
    if case .input = address { return .answered(.noContent) }
    if navigation?[origin]?.screen != nil { return .elsewhere(.unwind(to: .node(origin))) }
    // A removed screen does not come back. A GET request for it still means the back button, if an older screen exists. A
    // request for a screen that never existed does not.
    if case .screen = address, isGone(origin), let older = screen(before: origin) {
      return .elsewhere(.unwind(to: .node(older)))
    }
    return .answered(redirect)
  }

  /// Returns the screen that repeated steps back reach first among those older than another; identities are ascending.
  ///
  /// `nil` when no step back is possible.
  private func screen(before id: NodeID) -> NodeID? {
    guard var navigation else { return nil }
    let front = navigation.front.id
    while navigation.front.id > id, let back = navigation.backIntent, let next = try? navigation.applying(back) {
      navigation = next
    }
    return navigation.front.id == front ? nil : navigation.front.id
  }

  /// Returns the command of a request, after its screen has become visible.
  public func command(_ request: WebRequest, on page: Page<Screen.Action>) -> Command {
    guard let address = WebAddress(path: request.path), let node = navigation?.front.id else {
      return .answered(redirect)
    }
    // Another request may have changed the visible screen during a wait; the command is not for the new page.
    guard address.origin == node else { return .answered(redirect) }
    let page = page.distinct
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

  public func selectTab(_ request: WebRequest) -> Intent<Screen>? {
    guard case .tab(let key, _)? = WebAddress(path: request.path) else { return nil }
    return navigation?.selectIntent(key)
  }

  public var redirect: WebResponse {
    .redirect(to: navigation.map { WebAddress.screen($0.front.id).path } ?? "/")
  }

  private func isGone(_ id: NodeID) -> Bool {
    id.rawValue >= 0 && id <= newest && navigation?[id] == nil
  }

  private func head(of address: WebAddress) -> WebResponse {
    guard let front = navigation?.front else { return problem(404, texts.noScreen) }
    guard address == .screen(front.id) else { return redirect }
    return WebResponse(
      status: 200, headers: written(status: 200, title: HTML.Phrase(""), refresh: false, body: []).headers)
  }

  /// Returns whether a text is the token, in time that depends only on its length.
  private func isToken(_ text: String?) -> Bool {
    let (given, own) = (Array((text ?? "").utf8), Array(token.utf8))
    guard given.count == own.count, !own.isEmpty else { return false }
    return zip(given, own).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension WebRequest {
  fileprivate func values<Action>(of form: Page<Action>.Form) -> [String: String] {
    var values: [String: String] = [:]
    for field in form.fields { values[field.name] = self.form[fieldPrefix + field.name] }
    return values
  }
}

/// The name of the form field with the token; the fields of a page have a prefix, so their names cannot collide with it.
let tokenField = "token"
let fieldPrefix = "field-"
