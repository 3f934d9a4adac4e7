internal import Foundation

public enum OrderRequest: Hashable, Sendable {
  /// `PUT /orders/{id}/taking`: take the order.
  ///
  /// `key` and `digest` are the values of the headers `Idempotency-Key` and `Content-Digest`.
  case take(order: String, key: String?, digest: String?, body: [UInt8])
  /// `GET /orders/{id}/taking`: read the result of the PUT.
  case taking(order: String)
  /// `GET /orders/{id}`: read the details of an order that the driver has taken.
  case details(order: String)
  /// `GET /orders`: list the open orders with names after `after`, at most `limit` and at most 100.
  case open(after: String?, limit: Int)

  var scope: Authorization.Scope {
    switch self {
    case .take: .takeOrders
    case .taking, .details, .open: .readOrders
    }
  }
}

public struct OrderResponse: Hashable, Sendable {
  public var status: Int
  public var body: String
  /// The time until a repeated request can succeed, for the header `Retry-After`.
  public var retryAfter: Duration?

  public init(_ status: Int, body: String) {
    self.status = status
    self.body = body
  }
}

extension OrderResponse {
  package var result: String {
    struct Body: Decodable {
      let result: String?
      let error: String?
      let decline_reason: String?
    }
    let body = try? JSONDecoder().decode(Body.self, from: Data(body.utf8))
    return body?.result ?? body?.error ?? (body?.decline_reason == nil ? "\(status)" : "declined")
  }

  package static let accepted = result(200, ["result": "accepted"])
  package static let processing = result(202, ["result": "processing"])

  package static func declined(_ reason: String) -> OrderResponse {
    result(200, ["result": "declined", "reason": reason])
  }

  /// A decline in response to a PUT, which is an error as in the slides.
  package static func refused(_ reason: String) -> OrderResponse { result(422, ["decline_reason": reason]) }

  package static func error(_ status: Int, _ code: String, _ message: String) -> OrderResponse {
    result(status, ["error": code, "message": message])
  }

  private static func result(_ status: Int, _ fields: [String: String]) -> OrderResponse {
    OrderResponse(status, body: JSONText.of(fields))
  }
}

/// JSON with sorted keys, so that equal values have equal texts.
package enum JSONText {
  package static func of(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // The values are strings, numbers and arrays of them, which can always be encoded.
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}
