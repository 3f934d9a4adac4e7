internal import Loopback
internal import OrderTakingDispatch

// Translates between HTTP and the requests and responses of `DispatchState`.

extension OrderServerCore {
  var router: Router {
    Router {
      Route(.put, "/orders/:id/taking") { request in
        await self.change(
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
          .open(after: request.query["after"], limit: request.query["limit"].map { Int($0) ?? 0 } ?? 100), request)
      }
    }
    .mapReplies { request, reply in
      // Requests without a route get errors of this protocol too.
      guard let refusal = reply.response, refusal.headers["Content-Type"] != "application/json" else { return reply }
      var response = HTTPResponse(.notTaken(request, refusal.status))
      response.headers["Allow"] = refusal.headers["Allow"]
      return .response(response)
    }
  }
}

extension OrderResponse {
  /// The response to a request without a route.
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
