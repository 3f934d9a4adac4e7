internal import Loopback
internal import OrderTakingDispatch

extension OrderServerCore {
  var router: Router {
    Router {
      Route(.put, "/orders/:id/taking") { request in
        await self.change(
          .take(
            order: request.parameters["id"] ?? "", key: request.headers["Idempotency-Key"],
            digest: request.headers["Content-Digest"], body: request.body),
          self.received(request, on: "PUT /orders/:id/taking"))
      }
      Route(.get, "/orders/:id/taking") { request in
        await self.read(
          .taking(order: request.parameters["id"] ?? ""), self.received(request, on: "GET /orders/:id/taking"))
      }
      Route(.get, "/orders/:id") { request in
        await self.read(.details(order: request.parameters["id"] ?? ""), self.received(request, on: "GET /orders/:id"))
      }
      Route(.get, "/orders") { request in
        await self.read(
          .open(after: request.query["after"], limit: request.query["limit"].map { Int($0) ?? 0 } ?? 100),
          self.received(request, on: "GET /orders"))
      }
      Route(.get, "/metrics") { request in await self.readMetrics(self.received(request, on: "GET /metrics")) }
    }
    .mapReplies { request, reply in
      // Requests without a route get errors of this protocol too.
      guard let refusal = reply.response, [.notFound, .methodNotAllowed].contains(refusal.status),
        refusal.headers["Content-Type"] != "application/json"
      else { return reply }
      let received = self.received(request, on: "other")
      if let limited = self.refusal(of: received) { return limited }
      var response = HTTPResponse(.notTaken(request, refusal.status))
      response.headers["Allow"] = refusal.headers["Allow"]
      self.finish(received, refusal.status.code)
      return .response(response)
    }
  }
}

extension OrderResponse {
  fileprivate static func notTaken(_ request: HTTPRequest, _ status: HTTPStatus) -> OrderResponse {
    status == .methodNotAllowed
      ? .error(
        status.code, "method_not_allowed",
        "Cannot \(request.method) this path: the method is not allowed. Use a method of the Allow header.")
      : .error(
        status.code, "no_such_path",
        "Cannot find this path: it does not exist. Use /orders/NAME for an order, /orders for the list.")
  }
}

extension HTTPRequest {
  /// The first field that is repeated and must not be.
  ///
  /// A proxy and this server could otherwise choose different values.
  var repeatedField: String? {
    ["Authorization", "Idempotency-Key", "Content-Digest"].first { headers.values(for: $0).count > 1 }
  }

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
    switch response.status {
    case 401: headers["WWW-Authenticate"] = "Bearer"
    case 403 where response.result == "insufficient_scope":
      headers["WWW-Authenticate"] = "Bearer error=\"insufficient_scope\""
    default: break
    }
    if let wait = response.retryAfter { headers["Retry-After"] = "\(wait.wholeSeconds)" }
  }
}

extension Duration {
  fileprivate var wholeSeconds: Int64 { max(1, components.seconds + (components.attoseconds > 0 ? 1 : 0)) }
}
