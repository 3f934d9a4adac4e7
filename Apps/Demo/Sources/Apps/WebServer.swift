internal import Coordinators
internal import CoordinatorsWeb
internal import Foundation
internal import Loopback

/// Serves one of the apps to browsers: an app for each session, which a cookie identifies.
@MainActor
final class WebServer {
  private let home: Home
  private let link: DemoScreen?
  private let client: ContentClient
  private var apps: [String: WebApp<DemoScreen>] = [:]
  /// The name of the cookie, unique to this server: browsers share the cookies of a host between all of its ports.
  private nonisolated let cookie = "boundaries-\(UUID().uuidString.prefix(8))"

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - home: The app.
  ///   - link: The first screen of each session.
  ///   - client: The client of the content server.
  init(_ home: Home, at link: DemoScreen?, client: ContentClient) {
    self.home = home
    self.link = link
    self.client = client
  }

  nonisolated var router: Router {
    Router {
      for path in ["/", "/*rest"] {
        Route(.get, path) { request in await self.respond(to: request, request.method == .head ? .head : .get) }
        Route(.post, path) { request in await self.respond(to: request, .post) }
      }
    }
  }

  private func respond(to request: HTTPRequest, _ method: WebRequest.Method) async -> HTTPResponse {
    guard let id = session(of: request), let app = apps[id] else {
      return method == .get && request.path == "/" ? await begin() : Self.noSession
    }
    let form = URLEncodedFields(String(decoding: request.body, as: UTF8.self)).items
    let fields = Dictionary(form.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    return HTTPResponse(await app.respond(to: WebRequest(method, request.path, form: fields)))
  }

  /// Starts a session.
  private func begin() async -> HTTPResponse {
    let app = DemoApp(home, client: client)
    let web = app.web(token: UUID().uuidString)
    app.start(in: web.navigator, at: link)
    let id = UUID().uuidString
    apps[id] = web
    var response = HTTPResponse(await web.respond(to: WebRequest(.get, "/")))
    response.headers.append("Set-Cookie", "\(cookie)=\(id); Path=/; HttpOnly; SameSite=Lax")
    return response
  }

  private func session(of request: HTTPRequest) -> String? {
    let pairs = request.headers.values(for: "Cookie").flatMap { $0.split(separator: ";") }
    return pairs.lazy.compactMap { $0.firstMatch(of: /^ *([^=]*)=(.*)$/) }.first { $0.1 == self.cookie }
      .map { String($0.2) }
  }

  /// The response without a session.
  ///
  /// A redirect would never end if the browser refuses cookies.
  private static var noSession: HTTPResponse {
    .html(
      """
      <!doctype html><html lang="en"><title>No session</title><p>The session has ended, or the browser refuses cookies. \
      <a href="/">Start the app</a></p></html>
      """, status: .badRequest)
  }
}

extension HTTPResponse {
  fileprivate init(_ response: WebResponse) {
    self.init(HTTPStatus(response.status), body: Array(response.body.utf8))
    for (name, value) in response.headers.sorted(by: { $0.key < $1.key }) { headers.append(name, value) }
  }
}
