internal import Coordinators
internal import CoordinatorsWeb
internal import Foundation
internal import Loopback

/// Serves one of the apps to browsers: one app instance for each session, identified by a cookie.
@MainActor
final class DemoWeb {
  private struct Visit {
    let app: WebApp<DemoScreen>
    let services: Services
    let open: (DemoRoute) -> Void
    var order: Int
    /// Whether the browser sent its cookie back.
    var hasReturned = false
    /// Whether the browser sent a form of the app, or its input.
    var hasActed = false

    /// The eviction priority: the session with the lowest value is removed first.
    @MainActor var worth: Int { services.session != nil ? 3 : hasActed ? 2 : hasReturned ? 1 : 0 }
  }

  private let home: Home
  private let route: DemoRoute?
  private let client: ContentClient
  private var visits: [String: Visit] = [:]
  private var requests = 0

  /// The maximum number of sessions.
  ///
  /// At the maximum, the least recently used session of the lowest ``Visit/worth`` is removed.
  static let mostVisits = 64
  /// The maximum size of a form in bytes.
  nonisolated static let byteLimit = 65_536
  /// The maximum number of fields that are read from a form.
  nonisolated static let mostFields = 64
  /// The name of the cookie, unique to this server: browsers share the cookies of a host between all of its ports.
  private let cookie = "boundaries-session-\(secret().prefix(8))"

  init(_ home: Home, at route: DemoRoute?, client: ContentClient) {
    self.home = home
    self.route = route
    self.client = client
  }

  /// Routes every request to the app of its session.
  nonisolated var router: Router {
    Router {
      for path in ["/", "/*rest"] {
        Route(.get, path) { request in await self.respond(to: request, request.method == .head ? .head : .get) }
        Route(.post, path) { request in await self.respond(to: request, .post) }
      }
    }
  }

  /// Performs the cheap checks first, and parses the form off the main actor.
  private nonisolated func respond(to request: HTTPRequest, _ method: WebRequest.Method) async -> HTTPResponse {
    let cookie = session(of: request)
    if method == .post {
      guard await isKnown(cookie) else { return HTTPResponse(.seeOther, headers: ["Location": "/"]) }
      guard request.body.count <= Self.byteLimit else { return Self.tooLarge }
    }
    if method == .get, let route = Self.route(of: request), route.home == home { return await follow(route, cookie) }
    if method == .get, cookie == nil {
      // Without this check, a browser that rejects cookies would be redirected forever.
      if request.path.hasPrefix("/screens") { return probe }
      if request.query[Self.probed] != nil { return Self.needsCookies }
    }
    return await respond(
      to: WebRequest(method, request.path, form: method == .post ? Self.form(request.body) : [:]), cookie)
  }

  /// Returns the route of a web address: `/stories/104` on this server means `boundaries://stories/104`.
  private nonisolated static func route(of request: HTTPRequest) -> DemoRoute? {
    guard request.path != "/", !request.path.hasPrefix("/screens") else { return nil }
    var link = URLComponents()
    (link.scheme, link.path) = ("boundaries", request.path)
    if !request.query.items.isEmpty {
      link.queryItems = request.query.items.map { URLQueryItem(name: $0.name, value: $0.value) }
      // `URLComponents` leaves a literal plus unescaped, which is read as a space.
      link.percentEncodedQuery = link.percentEncodedQuery?.replacing("+", with: "%2B")
    }
    return link.string.flatMap { try? DemoRoute.links.route(for: $0) }
  }

  /// Follows a link in the session of the request, or in a new session.
  private func follow(_ route: DemoRoute, _ session: String?) async -> HTTPResponse {
    if let session, let visit = visits[session] {
      visit.open(route)
      return await respond(to: WebRequest(.get, "/"), session)
    }
    return await respond(to: WebRequest(.get, "/"), nil, at: route)
  }

  private func isKnown(_ session: String?) -> Bool { session.map { visits[$0] != nil } ?? false }

  private func respond(
    to request: WebRequest, _ session: String?, at start: DemoRoute? = nil
  ) async -> HTTPResponse {
    let known = session.flatMap { id in visits[id].map { (id, $0.app) } }
    // A redirect would lead here again.
    if known == nil, request.path == "/", request.method == .head { return HTTPResponse(.ok) }
    // Only GET / starts a session, so that stray requests cannot evict one.
    guard known != nil || (request.path == "/" && request.method == .get) else {
      return HTTPResponse(.seeOther, headers: ["Location": "/"])
    }
    let (id, app) = known ?? begin(at: start ?? route)
    requests += 1
    visits[id]?.order = requests
    if known != nil { visits[id]?.hasReturned = true }
    let answer = await app.respond(to: request)
    if request.method == .post, answer.status == 303 || answer.status == 204 { visits[id]?.hasActed = true }
    var response = HTTPResponse(HTTPStatus(answer.status), body: Array(answer.body.utf8))
    for (name, value) in answer.headers.sorted(by: { $0.key < $1.key }) { response.headers.append(name, value) }
    if known == nil {
      response.headers.append("Set-Cookie", "\(cookie)=\(id); Path=/; HttpOnly; SameSite=Lax")
    }
    return response
  }

  private func begin(at route: DemoRoute?) -> (String, WebApp<DemoScreen>) {
    if visits.count >= Self.mostVisits {
      let least = visits.min { ($0.value.worth, $0.value.order) < ($1.value.worth, $1.value.order) }
      if let least { visits[least.key] = nil }
    }
    let assembly = DemoAssembly(home, client: client)
    let app = assembly.webApp(token: Self.secret())
    let open = assembly.start(in: app.navigator, at: route)
    let id = Self.secret()
    visits[id] = Visit(app: app, services: assembly.services, open: open, order: requests)
    return (id, app)
  }

  private static func secret() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in String(random.next() as UInt64, radix: 36) }.joined()
  }

  /// Parses a form.
  ///
  /// Only the first ``mostFields`` fields are read. The first of several fields with the same name wins.
  nonisolated static func form(_ body: [UInt8]) -> [String: String] {
    var fields = 0
    let end = body.firstIndex { byte in
      if byte == UInt8(ascii: "&") { fields += 1 }
      return fields == mostFields
    }
    let items = URLEncodedFields(String(decoding: body[..<(end ?? body.count)], as: UTF8.self)).items
    return Dictionary(items.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// The query parameter of the redirect that tests whether the browser accepts cookies.
  private nonisolated static let probed = "cookies"

  private nonisolated var probe: HTTPResponse {
    HTTPResponse(
      .seeOther,
      headers: ["Location": "/?\(Self.probed)=1", "Set-Cookie": "\(cookie)=none; Path=/; HttpOnly; SameSite=Lax"])
  }

  private nonisolated static var needsCookies: HTTPResponse {
    let text = """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><title>This app needs cookies</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <style>
      :root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif }
      body { max-width: 42rem; margin: 1rem auto; padding: 0 1rem }
      </style></head><body><main>
      <h1>This app needs cookies</h1>
      <p>The app uses a session cookie to identify your browser. Allow cookies for this address, then \
      <a href="/">start the app</a>.</p>
      </main></body></html>

      """
    return HTTPResponse(
      .badRequest, headers: ["Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store"],
      body: Array(text.utf8))
  }

  private nonisolated static var tooLarge: HTTPResponse {
    let text = "Cannot read the form: it is larger than \(byteLimit) bytes. Go back and shorten the input.\n"
    return HTTPResponse(
      HTTPStatus(413), headers: ["Content-Type": "text/plain; charset=utf-8"], body: Array(text.utf8))
  }

  private nonisolated func session(of request: HTTPRequest) -> String? {
    for field in request.headers.values(for: "Cookie") {
      for pair in field.split(separator: ";") {
        let parts = pair.split(separator: "=", maxSplits: 1)
        if parts.count == 2, parts[0].trimmingPrefix(while: { $0 == " " }) == cookie { return String(parts[1]) }
      }
    }
    return nil
  }
}
