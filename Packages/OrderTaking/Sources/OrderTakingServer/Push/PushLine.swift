internal import Foundation
internal import OrderTaking
internal import OrderTakingDispatch

enum ClientLine: Equatable {
  case subscribe(token: String, epoch: String?, after: UInt64)
  case heartbeat
  case replay(after: UInt64)

  private struct Wire: Decodable {
    let type: String
    let token: String?
    let stream: String?
    let after: UInt64?
  }

  init?(_ bytes: [UInt8]) {
    guard let wire = try? JSONDecoder().decode(Wire.self, from: Data(bytes)) else { return nil }
    switch wire.type {
    case "subscribe":
      guard let token = wire.token else { return nil }
      self = .subscribe(token: token, epoch: wire.stream, after: wire.after ?? 0)
    case "heartbeat": self = .heartbeat
    case "replay":
      guard let after = wire.after else { return nil }
      self = .replay(after: after)
    default: return nil
    }
  }
}

enum ServerLine: Hashable, Sendable {
  case welcome(epoch: String, after: UInt64, cursor: UInt64)
  case push(OrderPush)
  case heartbeat(cursor: UInt64)
  case goodbye(reason: Goodbye)

  enum Goodbye: String, Sendable {
    /// The token is unknown or has expired.
    case unauthorized
    /// The token may not read orders.
    case forbidden
    /// The address or the token sent too many requests.
    case rateLimited = "rate_limited"
    case malformed
    case silent
    case stopping
  }

  var text: String {
    switch self {
    case .welcome(let epoch, let after, let cursor):
      JSONText.of(Wire(type: "welcome", after: after, cursor: cursor, stream: epoch))
    case .push(let push):
      switch push.result {
      case .accepted: JSONText.of(wire(push, result: "accepted"))
      case .declined(let reason): JSONText.of(wire(push, result: "declined", reason: reason))
      }
    case .heartbeat(let cursor): JSONText.of(Wire(type: "heartbeat", cursor: cursor))
    case .goodbye(let reason): JSONText.of(Wire(type: "goodbye", reason: reason.rawValue))
    }
  }

  private func wire(_ push: OrderPush, result: String, reason: String? = nil) -> Wire {
    Wire(
      type: "push", cursor: push.cursor, key: push.key.description, order: push.order, reason: reason, result: result)
  }

  private struct Wire: Encodable {
    var type: String
    var after: UInt64?
    var cursor: UInt64?
    var key: String?
    var order: String?
    var reason: String?
    var result: String?
    var stream: String?
  }
}
