internal import Coordinators
internal import CoordinatorsWeb
internal import Foundation
internal import Loopback

/// One of the apps for browsers: an app for each session, which a cookie names.
@MainActor
final class DemoWeb {
  private struct Visit {
    var app: WebApp<DemoScreen>
    var order: Int
  }

  private let home: Home
  private let route: DemoRoute?
  private let client: ContentClient
  private var visits: [String: Visit] = [:]
  private var requests = 0

  /// How many sessions are kept; the one that nobody has used for longest makes room.
  static let mostVisits = 64
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

  private func respond(to request: HTTPRequest, _ method: WebRequest.Method) async -> HTTPResponse {
    let known = session(of: request).flatMap { id in visits[id].map { (id, $0.app) } }
    // A session begins at the front door only, and for who comes in, so that no stray request makes another one end.
    guard known != nil || (request.path == "/" && method != .head) else {
      return HTTPResponse(.seeOther, headers: ["Location": "/"])
    }
    let (id, app) = known ?? begin()
    requests += 1
    visits[id]?.order = requests
    let form = method == .post ? request.form.items : []
    let answer = await app.respond(
      to: WebRequest(
        method, request.path,
        form: Dictionary(form.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })))
    var response = HTTPResponse(HTTPStatus(answer.status), body: Array(answer.body.utf8))
    for (name, value) in answer.headers.sorted(by: { $0.key < $1.key }) { response.headers.append(name, value) }
    if known == nil {
      response.headers.append("Set-Cookie", "\(cookie)=\(id); Path=/; HttpOnly; SameSite=Lax")
    }
    return response
  }

  private func begin() -> (String, WebApp<DemoScreen>) {
    if visits.count >= Self.mostVisits, let oldest = visits.min(by: { $0.value.order < $1.value.order })?.key {
      visits[oldest] = nil
    }
    let assembly = DemoAssembly(home, client: client)
    let app = WebApp(contents: assembly.contents, work: assembly.services.work, token: Self.secret())
    assembly.start(in: app.navigator, at: route)
    let id = Self.secret()
    visits[id] = Visit(app: app, order: requests)
    return (id, app)
  }

  private static func secret() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in String(random.next() as UInt64, radix: 36) }.joined()
  }

  private func session(of request: HTTPRequest) -> String? {
    for field in request.headers.values(for: "Cookie") {
      for pair in field.split(separator: ";") {
        let parts = pair.split(separator: "=", maxSplits: 1)
        if parts.count == 2, parts[0].trimmingPrefix(while: { $0 == " " }) == cookie { return String(parts[1]) }
      }
    }
    return nil
  }
}
