internal import Coordinators
internal import CoordinatorsWeb
internal import Foundation
internal import Loopback

extension Router {
  /// Serves one of the apps to browsers, each with a session of its own.
  @MainActor
  static func web(_ home: Home, at link: DemoScreen?, client: ContentClient) -> Router {
    // Browsers share the cookies of a host between all of its ports.
    let sessions = WebSessions(cookie: "boundaries-\(UUID().uuidString.prefix(8))") {
      let app = DemoApp(home, client: client)
      let web = app.web()
      app.start(in: web.navigator, at: link)
      return web
    }
    return Router {
      for path in ["/", "/*rest"] {
        for method in [HTTPMethod.get, .post] {
          Route(method, path) { request in HTTPResponse(await sessions.respond(to: WebRequest(request))) }
        }
      }
    }
  }
}

extension WebRequest {
  fileprivate init(_ request: HTTPRequest) {
    let cookie = request.headers.values(for: "Cookie").joined(separator: "; ")
    self.init(request.method.rawValue, request.target, cookie: cookie, body: request.body)
  }
}

extension HTTPResponse {
  fileprivate init(_ response: WebResponse) {
    self.init(HTTPStatus(response.status), body: Array(response.body.utf8))
    for (name, value) in response.headers.sorted(by: { $0.key < $1.key }) { headers.append(name, value) }
  }
}
