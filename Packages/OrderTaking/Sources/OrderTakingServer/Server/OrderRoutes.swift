internal import Loopback

// HTTP as requests of the book, and its answers as HTTP: no decision is made here.

extension OrderServerCore {
  var router: Router {
    Router {
      Route(.put, "/orders/:id/taking") { request in
        self.answer(
          .take(
            order: request.parameters["id"] ?? "", key: request.headers["Idempotency-Key"],
            digest: request.headers["Content-Digest"], body: request.body), request)
      }
      Route(.get, "/orders/:id/taking") { request in
        self.answer(.taking(order: request.parameters["id"] ?? ""), request)
      }
      Route(.get, "/orders/:id") { request in
        self.answer(.details(order: request.parameters["id"] ?? ""), request)
      }
      Route(.get, "/orders") { request in
        self.answer(
          .open(after: request.query["after"], limit: request.query["limit"].flatMap { Int($0) } ?? 100), request)
      }
    }
  }
}

extension HTTPRequest {
  /// The token of `Authorization: Bearer TOKEN`.
  var bearerToken: String? {
    guard let words = headers["Authorization"]?.split(separator: " ", maxSplits: 1), words.count == 2,
      words[0].lowercased() == "bearer"
    else { return nil }
    return String(words[1])
  }
}

extension HTTPResponse {
  init(_ response: OrderResponse) {
    self = .json(text: response.body, status: HTTPStatus(response.status))
    if response.status == 401 { headers["WWW-Authenticate"] = "Bearer" }
  }
}
