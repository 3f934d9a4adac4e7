internal import Loopback
internal import OrderTaking
internal import OrderTakingDispatch

extension OrderServerCore {
  var router: Router {
    Router {
      route(.put, "/orders/:id/taking") { .take(order: $0, key: $1.headers["Idempotency-Key"], body: $1.body) }
      route(.get, "/orders/:id/taking") { order, _ in .taking(order: order) }
      route(.get, "/orders/:id") { order, _ in .details(order: order) }
      Route(.get, "/orders") { request in
        let after = request.query["after"].map { try? OrderID($0) }
        return await self.reply(to: after == .some(nil) ? nil : .open(after: after ?? nil), request, on: "GET /orders")
      }
    }
    .mapReplies { request, reply in
      // Requests without a route get errors of this protocol too.
      guard let refusal = reply.response, [.notFound, .methodNotAllowed].contains(refusal.status),
        refusal.headers["Content-Type"] != "application/json"
      else { return reply }
      self.report(request, on: "other", refusal.status.code, since: self.now)
      var response = HTTPResponse(
        refusal.status == .methodNotAllowed
          ? .problem(405, "method_not_allowed", "Cannot \(request.method) this path. Use a method of the Allow header.")
          : .problem(404, "no_such_path", "Cannot find this path. Use /orders/NAME for an order, /orders for the list.")
      )
      response.headers["Allow"] = refusal.headers["Allow"]
      return .response(response)
    }
  }

  private func route(
    _ method: HTTPMethod, _ pattern: String, _ order: @escaping @Sendable (OrderID, HTTPRequest) -> OrderRequest
  ) -> Route {
    Route(method, pattern) { request in
      let name = try? OrderID(request.parameters["id"] ?? "")
      return await self.reply(to: name.map { order($0, request) }, request, on: "\(method) \(pattern)")
    }
  }
}

extension HTTPRequest {
  var bearerToken: String? {
    guard let field = headers["Authorization"]?.utf8,
      String(decoding: field.prefix(7), as: UTF8.self).lowercased() == "bearer "
    else { return nil }
    return String(decoding: field.dropFirst(7), as: UTF8.self)
  }
}

extension HTTPResponse {
  init(_ response: OrderResponse) {
    self = .json(text: response.body, status: HTTPStatus(response.status))
    if response.status == 401 { headers["WWW-Authenticate"] = "Bearer" }
  }
}
