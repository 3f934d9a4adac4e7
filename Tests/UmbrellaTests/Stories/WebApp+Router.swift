import CoordinatorsWeb
import Loopback

extension WebApp {
  /// A router that passes every request to this app, for one session.
  nonisolated var router: Router {
    Router {
      for path in ["/", "/*rest"] {
        Route(.get, path) { request in await self.answer(request, .get) }
        Route(.post, path) { request in await self.answer(request, .post) }
      }
    }
  }

  private func answer(_ request: HTTPRequest, _ method: WebRequest.Method) async -> HTTPResponse {
    let fields = method == .post ? request.form.items.map { ($0.name, $0.value) } : []
    let answer = await respond(
      to: WebRequest(method, request.path, form: Dictionary(fields) { first, _ in first }))
    var response = HTTPResponse(HTTPStatus(answer.status), body: Array(answer.body.utf8))
    for (name, value) in answer.headers.sorted(by: { $0.key < $1.key }) { response.headers.append(name, value) }
    return response
  }
}
