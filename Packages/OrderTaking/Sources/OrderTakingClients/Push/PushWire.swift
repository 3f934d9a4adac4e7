internal import Foundation
internal import OrderTaking

/// A received push with an undecoded order name.
struct WirePush: Equatable {
  var cursor: UInt64
  var order: String
  var key: IdempotencyKey?
  var result: TakingResult
}

enum ServerMessage: Equatable {
  /// The subscription starts after a cursor. It has the last cursor of the server, if the server sends one.
  case welcome(epoch: String, after: UInt64, last: UInt64?)
  case push(WirePush)
  case heartbeat(cursor: UInt64)
  case goodbye(reason: String)

  private struct Wire: Decodable {
    let type: String
    let after: UInt64?
    let cursor: UInt64?
    let key: String?
    let order: String?
    let reason: String?
    let result: String?
    let stream: String?
  }

  init?(_ line: [UInt8]) {
    guard let wire = try? JSONDecoder().decode(Wire.self, from: Data(line)) else { return nil }
    let reason = OrderTakingClients.Wire.cut(
      wire.reason ?? "no reason given", OrderTakingClients.Wire.longestReason)
    switch (wire.type, wire.result) {
    case ("welcome", _):
      guard let epoch = wire.stream, let after = wire.after else { return nil }
      self = .welcome(epoch: epoch, after: after, last: wire.cursor)
    case ("push", "accepted"?), ("push", "declined"?):
      guard let cursor = wire.cursor, let order = wire.order else { return nil }
      let key = wire.key.map { IdempotencyKey($0) }
      // A push without a key counts for any intent, so an invalid key must not be dropped.
      if case .some(.none) = key { return nil }
      let result: TakingResult =
        wire.result == "accepted" ? .accepted : .declined(reason)
      self = .push(WirePush(cursor: cursor, order: order, key: key ?? nil, result: result))
    case ("heartbeat", _):
      guard let cursor = wire.cursor else { return nil }
      self = .heartbeat(cursor: cursor)
    case ("goodbye", _): self = .goodbye(reason: reason)
    default: return nil
    }
  }
}

enum ClientMessage: Equatable {
  case subscribe(token: String, epoch: String?, after: UInt64)
  case heartbeat
  case replay(after: UInt64)

  var line: [UInt8] {
    let wire: Wire =
      switch self {
      case .subscribe(let token, let epoch, let after):
        Wire(type: "subscribe", after: after, stream: epoch, token: token)
      case .heartbeat: Wire(type: "heartbeat")
      case .replay(let after): Wire(type: "replay", after: after)
      }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return ((try? encoder.encode(wire)).map { Array($0) } ?? []) + [UInt8(ascii: "\n")]
  }

  private struct Wire: Encodable {
    var type: String
    var after: UInt64?
    var stream: String?
    var token: String?
  }
}
