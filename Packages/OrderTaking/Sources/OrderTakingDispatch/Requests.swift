package import OrderTaking
internal import OrderTakingClients

package enum OrderRequest: Hashable, Sendable {
  /// `PUT /orders/{id}/taking`: take the order. `key` is the value of the header `Idempotency-Key`.
  case take(order: OrderID, key: String?, body: [UInt8])
  /// `GET /orders/{id}/taking`: read the result of the PUT.
  case taking(order: OrderID)
  /// `GET /orders/{id}`: read the details of an order that the driver has taken.
  case details(order: OrderID)
  /// `GET /orders`: list at most 100 open orders, with names after `after`.
  case open(after: OrderID?)
}

package struct OrderResponse: Hashable, Sendable {
  package var status: Int
  /// The body in JSON.
  package var body: String

  package init(_ status: Int, body: String) {
    (self.status, self.body) = (status, body)
  }

  private init(_ status: Int, _ body: Wire.Body) { self.init(status, body: Wire.json(body)) }

  package init(_ answer: TakingAnswer) { self.init(answer == .processing ? 202 : 200, Wire.Body(answer)) }

  /// A decline in response to a PUT.
  package static func declined(_ reason: String) -> OrderResponse { self.init(422, Wire.Body(declinedBecause: reason)) }

  package static func problem(_ status: Int, _ code: String, _ message: String) -> OrderResponse {
    self.init(status, Wire.Body(problem: code, message: message))
  }
}

extension OrderResponse {
  package static let invalidName = problem(
    400, "invalid_name",
    "Cannot find the order: this is no name. Use 1 to 255 bytes without slashes and control characters.")
  static let unauthorized = problem(
    401, "unauthorized", "Cannot authenticate: the token is missing or unknown. Send Authorization: Bearer TOKEN.")
  static let keyRequired = problem(
    400, "idempotency_key_required",
    "Cannot take the order: Idempotency-Key is missing or invalid. Send 32 hexadecimal digits, new for each intent.")
  static let keyExpired = problem(
    410, "idempotency_key_expired",
    "Cannot take the order: the idempotency key has expired. Send GET to read the outcome.")
  static let keyMismatch = problem(
    422, "idempotency_key_mismatch",
    "Cannot take the order: the idempotency key was used with another order or body. Use a new key.")
  static let noSuchTaking = problem(
    404, "no_such_taking",
    "Cannot find a request of yours: you sent none, or another driver has the order. Send PUT to take it.")
  static let notYours = problem(
    403, "not_yours", "Cannot show the order: you have not taken it. Take it first.")
  static let noSuchOrder = problem(
    404, "no_such_order", "Cannot find the order: no order has this name. Send GET /orders to list the open orders.")
}

package struct OrderReply: Hashable, Sendable {
  package var response: OrderResponse
  /// The new state of the order if the request changes it; store it before the response and its push are sent.
  package var change: ServedOrder?

  init(_ response: OrderResponse, _ change: ServedOrder? = nil) {
    (self.response, self.change) = (response, change)
  }
}
