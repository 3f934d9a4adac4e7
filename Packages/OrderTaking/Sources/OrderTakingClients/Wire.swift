internal import Foundation
package import OrderTaking

/// The wire format of requests and pushes, for clients and servers.
///
/// A text can come from any sender, so readers use ``plain(_:_:)`` and the limits.
package enum Wire {
  /// The maximum number of bytes of a body, except details.
  package static let bodyLimit = 65_536
  package static let detailsLimit = 4 << 20
  /// The maximum number of characters of a reason, for readable logs and a small journal.
  package static let reasonLimit = 1_000

  /// The body of a response, except details and the list of open orders.
  package struct Body: Codable, Hashable, Sendable {
    package var result: String?
    package var reason: String?
    package var problem: String?
    package var message: String?

    package init(result: String? = nil, reason: String? = nil, problem: String? = nil, message: String? = nil) {
      (self.result, self.reason, self.problem, self.message) = (result, reason, problem, message)
    }

    package init(_ answer: TakingAnswer) {
      switch answer {
      case .accepted: self.init(result: "accepted")
      case .processing: self.init(result: "processing")
      case .declined(let reason): self.init(result: "declined", reason: reason)
      }
    }

    /// Creates the response to a PUT for an order that the driver does not get, an error as in the slides.
    package init(declinedBecause reason: String) { self.init(reason: reason, problem: Self.declined) }

    package static let declined = "declined"

    package var answer: TakingAnswer? {
      switch result {
      case "accepted": .accepted
      case "processing": .processing
      case "declined": .declined(plainReason)
      default: nil
      }
    }

    package var plainReason: String { plain(reason ?? "no reason given", reasonLimit) }
  }

  package struct Push: Hashable, Sendable {
    /// The number among all pushes to the driver: 1 for the first, without gaps.
    package var cursor: UInt64
    /// The order; `nil` if the received text is no name.
    package var order: OrderID?
    package var key: IdempotencyKey?
    package var result: TakingResult

    package init(cursor: UInt64, order: OrderID?, key: IdempotencyKey?, result: TakingResult) {
      (self.cursor, self.order, self.key, self.result) = (cursor, order, key, result)
    }
  }

  /// A line of JSON from a client of the push channel, without its line feed.
  package enum ClientLine: Hashable, Sendable {
    case subscribe(token: String, epoch: String?, after: UInt64)
    case heartbeat
    case replay(after: UInt64)

    package init?(_ bytes: [UInt8]) {
      guard let line = Line(bytes) else { return nil }
      switch (line.type, line.token, line.after) {
      case ("subscribe", let token?, let after): self = .subscribe(token: token, epoch: line.stream, after: after ?? 0)
      case ("heartbeat", _, _): self = .heartbeat
      case ("replay", _, let after?): self = .replay(after: after)
      default: return nil
      }
    }

    package var text: String {
      switch self {
      case .subscribe(let token, let epoch, let after):
        json(Line(type: "subscribe", after: after, stream: epoch, token: token))
      case .heartbeat: json(Line(type: "heartbeat"))
      case .replay(let after): json(Line(type: "replay", after: after))
      }
    }
  }

  /// A line of JSON from a server of the push channel, without its line feed.
  package enum ServerLine: Hashable, Sendable {
    /// Pushes after a cursor follow; `last` is the last cursor of the server, if it sends one.
    case welcome(epoch: String, after: UInt64, last: UInt64?)
    case push(Push)
    case heartbeat(cursor: UInt64)
    case goodbye(reason: String)

    /// The reason of a goodbye after which the client gets a fresh token.
    package static let unauthorized = "unauthorized"

    package init?(_ bytes: [UInt8]) {
      guard let line = Line(bytes) else { return nil }
      switch (line.type, line.cursor) {
      case ("welcome", let last):
        guard let epoch = line.stream, let after = line.after else { return nil }
        self = .welcome(epoch: epoch, after: after, last: last)
      case ("push", let cursor?):
        let key = line.key.map { IdempotencyKey($0) }
        guard let order = line.order, let result = line.pushedResult else { return nil }
        // A push without a key counts for any intent, so an invalid key must not be dropped.
        if case .some(.none) = key { return nil }
        self = .push(Push(cursor: cursor, order: try? OrderID(order), key: key ?? nil, result: result))
      case ("heartbeat", let cursor?): self = .heartbeat(cursor: cursor)
      case ("goodbye", _): self = .goodbye(reason: Body(reason: line.reason).plainReason)
      default: return nil
      }
    }

    package var text: String {
      switch self {
      case .welcome(let epoch, let after, let last):
        json(Line(type: "welcome", after: after, cursor: last, stream: epoch))
      case .push(let push):
        json(Line(push))
      case .heartbeat(let cursor): json(Line(type: "heartbeat", cursor: cursor))
      case .goodbye(let reason): json(Line(type: "goodbye", reason: reason))
      }
    }
  }

  fileprivate struct Line: Codable {
    var type: String
    var after: UInt64?
    var cursor: UInt64?
    var key: String?
    var order: String?
    var reason: String?
    var result: String?
    var stream: String?
    var token: String?
  }

  /// Returns JSON with sorted keys, so that equal values have equal texts.
  package static func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // The values are texts, numbers and arrays of them, which can always be encoded.
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// Returns the beginning of a text in one line, without characters that control a terminal or the direction of text.
  package static func plain(_ text: String, _ limit: Int) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit).map { $0.controlsText ? " " : $0 }))
  }
}

extension Wire.Line {
  fileprivate init?(_ bytes: [UInt8]) {
    guard let line = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
    self = line
  }

  fileprivate init(_ push: Wire.Push) {
    self.init(type: "push", cursor: push.cursor, key: push.key?.description, order: push.order?.text)
    switch push.result {
    case .accepted: result = "accepted"
    case .declined(let reason): (result, self.reason) = ("declined", reason)
    }
  }

  fileprivate var pushedResult: TakingResult? {
    switch Wire.Body(result: result, reason: reason).answer {
    case .accepted: .accepted
    case .declined(let reason): .declined(reason)
    case .processing, nil: nil
    }
  }
}
