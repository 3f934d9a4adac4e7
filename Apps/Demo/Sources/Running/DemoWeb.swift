internal import Coordinators
internal import CoordinatorsWeb
internal import Foundation
internal import Loopback

/// One of the apps for browsers: an app for each session, which a cookie names.
@MainActor
final class DemoWeb {
  private struct Visit {
    let app: WebApp<DemoScreen>
    let services: Services
    /// Follows a link.
    let open: (DemoRoute) -> Void
    var order: Int
    /// Whether the browser has brought its cookie back, and whether it has sent a form of its pages since.
    var hasReturned = false
    var hasActed = false

    /// What would be lost with it: a visitor who never came back has nothing, who is logged in the most.
    @MainActor var worth: Int { services.session != nil ? 3 : hasActed ? 2 : hasReturned ? 1 : 0 }
  }

  private let home: Home
  private let route: DemoRoute?
  private let client: ContentClient
  private var visits: [String: Visit] = [:]
  private var requests = 0

  /// How many sessions are kept; of those that are worth least, the one that nobody has used for longest makes room.
  static let mostVisits = 64
  /// How many bytes a form may have, and how many fields of it are read: more than any of these apps' forms have.
  nonisolated static let mostBytes = 65_536
  nonisolated static let mostFields = 64
  /// Of this server only: browsers send the cookies of a host to all of its ports, so another one would take its place.
  private let cookie = "boundaries-session-\(secret().prefix(8))"

  init(_ home: Home, at route: DemoRoute?, client: ContentClient) {
    self.home = home
    self.route = route
    self.client = client
  }

  /// Hands every request to the app of its session.
  nonisolated var router: Router {
    Router {
      for path in ["/", "/*rest"] {
        Route(.get, path) { request in await self.respond(to: request, request.method == .head ? .head : .get) }
        Route(.post, path) { request in await self.respond(to: request, .post) }
      }
    }
  }

  /// Looks at what costs nothing first, and reads a form where no other session waits for it.
  private nonisolated func respond(to request: HTTPRequest, _ method: WebRequest.Method) async -> HTTPResponse {
    let cookie = session(of: request)
    if method == .post {
      guard await isKnown(cookie) else { return HTTPResponse(.seeOther, headers: ["Location": "/"]) }
      guard request.body.count <= Self.mostBytes else { return Self.tooLarge }
    }
    if method == .get, let route = Self.route(of: request), route.home == home { return await follow(route, cookie) }
    if method == .get, cookie == nil {
      // Whoever is sent from here with a cookie and comes back without one would be sent to and fro for ever.
      if request.path.hasPrefix("/screens") { return probe }
      if request.query[Self.probed] != nil { return Self.needsCookies }
    }
    return await respond(
      to: WebRequest(method, request.path, form: method == .post ? Self.form(request.body) : [:]), cookie)
  }

  /// Where a link of the web leads: `/stories/104` on this server is `boundaries://stories/104`.
  private nonisolated static func route(of request: HTTPRequest) -> DemoRoute? {
    guard request.path != "/", !request.path.hasPrefix("/screens") else { return nil }
    var link = URLComponents()
    (link.scheme, link.path) = ("boundaries", request.path)
    if !request.query.items.isEmpty {
      link.queryItems = request.query.items.map { URLQueryItem(name: $0.name, value: $0.value) }
      // A plus is one, and no space.
      link.percentEncodedQuery = link.percentEncodedQuery?.replacing("+", with: "%2B")
    }
    return link.string.flatMap { try? DemoRoute.links.route(for: $0) }
  }

  /// Follows a link in the session of who sent it, or in a new one.
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
    // A session begins at the front door only, and for who comes in, so that no stray request makes another one end.
    guard known != nil || (request.path == "/" && request.method == .get) else {
      return HTTPResponse(.seeOther, headers: ["Location": "/"])
    }
    let (id, app) = known ?? begin(at: start ?? route)
    requests += 1
    visits[id]?.order = requests
    if known != nil { visits[id]?.hasReturned = true }
    let answer = await app.respond(to: request)
    if request.method == .post, answer.status == 303 { visits[id]?.hasActed = true }
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
    let app = WebApp(contents: assembly.contents, work: assembly.services.work, token: Self.secret())
    let open = assembly.start(in: app.navigator, at: route)
    let id = Self.secret()
    visits[id] = Visit(app: app, services: assembly.services, open: open, order: requests)
    return (id, app)
  }

  private static func secret() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in String(random.next() as UInt64, radix: 36) }.joined()
  }

  /// The first fields of a form; of several of one name, the first.
  nonisolated static func form(_ body: [UInt8]) -> [String: String] {
    var fields = 0
    let end = body.firstIndex { byte in
      if byte == UInt8(ascii: "&") { fields += 1 }
      return fields == mostFields
    }
    let items = URLEncodedFields(String(decoding: body[..<(end ?? body.count)], as: UTF8.self)).items
    return Dictionary(items.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// The name in an address by which a browser comes back that was given a cookie to see whether it keeps any.
  private nonisolated static let probed = "cookies"

  private nonisolated var probe: HTTPResponse {
    HTTPResponse(
      .seeOther,
      headers: ["Location": "/?\(Self.probed)=1", "Set-Cookie": "\(cookie)=none; Path=/; HttpOnly; SameSite=Lax"])
  }

  private nonisolated static var needsCookies: HTTPResponse {
    let text = """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><title>This app needs cookies</title></head><body><main>
      <h1>This app needs cookies</h1>
      <p>A cookie is how it knows you from others until the browser is closed. Allow cookies for this address, then \
      <a href="/">begin</a>.</p>
      </main></body></html>

      """
    return HTTPResponse(
      .badRequest, headers: ["Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store"],
      body: Array(text.utf8))
  }

  private nonisolated static var tooLarge: HTTPResponse {
    let text = "This form is too large: \(mostBytes) bytes are the most. Go back, and send less.\n"
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
