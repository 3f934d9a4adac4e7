internal import Foundation

/// What a driver's app asks the server over HTTP.
public enum OrderRequest: Hashable, Sendable {
  /// `PUT /orders/{id}/taking`: give me the order.
  ///
  /// `key` and `digest` are the headers `Idempotency-Key` and `Content-Digest` as they came.
  case take(order: String, key: String?, digest: String?, body: [UInt8])
  /// `GET /orders/{id}/taking`: what became of it?
  case taking(order: String)
  /// `GET /orders/{id}`: what is in the order that I have?
  case details(order: String)
  /// `GET /orders`: which are open? At most `limit`, and at most 100, of those whose names come after `after`.
  case open(after: String?, limit: Int)
}

/// What the server answers: a status and a JSON text.
public struct OrderResponse: Hashable, Sendable {
  /// The HTTP status.
  public var status: Int
  /// The body, JSON.
  public var body: String

  /// Creates a response.
  public init(_ status: Int, body: String) {
    self.status = status
    self.body = body
  }
}

extension OrderResponse {
  static let accepted = result(200, ["result": "accepted"])
  static let processing = result(202, ["result": "processing"])

  static func declined(_ reason: String) -> OrderResponse { result(200, ["result": "declined", "reason": reason]) }

  /// A decline as an error, as the deck has it.
  static func refused(_ reason: String) -> OrderResponse { result(422, ["decline_reason": reason]) }

  /// An error, and the way out for whoever reads it.
  static func error(_ status: Int, _ code: String, _ message: String) -> OrderResponse {
    result(status, ["error": code, "message": message])
  }

  static func result(_ status: Int, _ fields: [String: String]) -> OrderResponse {
    OrderResponse(status, body: JSONText.of(fields))
  }
}

/// JSON with its keys in order, so that the same value is the same text.
enum JSONText {
  static func of(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Strings, numbers and arrays of them: there is nothing in it that cannot be encoded.
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}
