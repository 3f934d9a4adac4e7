internal import Foundation

/// A key that identifies the requests of one intent: 128 bits, written as 32 hexadecimal digits.
///
/// It stays the same in retries and after restarts. A server that has processed a request with this key responds to another one with
/// the current result of the first.
///
/// ```swift
/// IdempotencyKey("00000000000000010000000000000002")?.high  // 1
/// ```
public struct IdempotencyKey: Hashable, Sendable, Codable, LosslessStringConvertible {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Returns a random key.
  public static func random() -> IdempotencyKey {
    IdempotencyKey(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
  }

  /// Parses exactly 32 hexadecimal digits; returns `nil` for any other text.
  public init?(_ description: String) {
    guard description.utf8.count == 32, description.allSatisfy({ $0.isASCII && $0.isHexDigit }),
      let high = UInt64(description.prefix(16), radix: 16), let low = UInt64(description.suffix(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }

  public var description: String {
    [high, low].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

/// The request to take one order, which is fixed before the first PUT.
public struct TakingIntent: Hashable, Sendable {
  public let order: OrderID
  public let key: IdempotencyKey
  public let body: [UInt8]

  public init(order: OrderID, key: IdempotencyKey, body: [UInt8] = []) {
    self.order = order
    self.key = key
    self.body = body
  }
}

/// The last step of an operation in the journal.
public enum TakingCheckpoint: Hashable, Sendable, Codable {
  /// A PUT is about to be sent.
  case begun
  case acknowledged
  /// The server has accepted the order; its details are missing.
  case accepted
  case ended(TakingOutcome)

  /// Whether its loss, in a power failure, could make a report false or send a second request under another key.
  ///
  /// After the loss of any other one, the same key and the server lead to the same outcome.
  public var mustSurvivePowerFailure: Bool {
    switch self {
    case .begun: true
    case .acknowledged, .accepted, .ended(.accepted): false
    case .ended: true
    }
  }
}

/// The end of an operation.
public enum TakingOutcome: Hashable, Sendable, Codable {
  /// The server accepted the order; its details may be missing.
  case accepted(hasDetails: Bool)

  case declined(reason: String)

  case rejected(status: Int)

  case cancelled

  /// See ``OrderTakingFailure/Kind/expired``.
  case expired

  /// The address of the server is wrong. No PUT was processed.
  case redirected(to: String)

  /// The server has the idempotency key with another body, and no PUT of this operation can have reached it.
  case keyMismatch

  /// The server no longer has the idempotency key, and did not process a PUT of this operation.
  case keyExpired

  /// The journal could not be written, so no PUT was sent and nothing is recorded.
  case unrecorded

  /// A person gave up an unknown outcome; see ``Journal/discard(_:because:at:)``.
  case discarded(reason: String)

  /// The server may have accepted the order, now or after a restart.
  case unknown(UnknownCause)

  public enum UnknownCause: Hashable, Sendable, Codable {
    case cancelled
    /// The time or the number of attempts was exceeded, or TLS failed.
    case expired
    /// The server answered GET with this status.
    case refused(status: Int)
    /// A write to the journal failed. From an earlier step, the next process may take the order.
    case journal
    case fenced
  }
}

public enum TakingState: String, Hashable, Sendable, Codable, CaseIterable {
  /// An operation has begun and not ended.
  case unfinished
  /// The server may have accepted the order. A worker asks again; see ``OrderTaker/reconcile(_:under:)``.
  case unknown
  case accepted
  /// The order was not taken, and the reason is known.
  case failed
  case discarded
}

/// One run of an operation: by one process, from its start to its end or to a crash.
public struct TakingAttempt: Hashable, Sendable {
  public var worker: String
  /// A time since 1970.
  public var startedAt: Duration
  /// The time of the last change, since 1970.
  public var lastChangeAt: Duration
  public var requestCount: Int
  /// The last error, as a text for people.
  public var lastError: String?

  package static let processName = "process \(ProcessInfo.processInfo.processIdentifier)"

  public init(
    worker: String, startedAt: Duration, lastChangeAt: Duration, requestCount: Int = 0, lastError: String? = nil
  ) {
    self.worker = worker
    self.startedAt = startedAt
    self.lastChangeAt = lastChangeAt
    self.requestCount = requestCount
    self.lastError = lastError
  }
}

/// The record of one operation, with which another process can finish it.
public struct TakingRecord: Hashable, Sendable {
  public var intent: TakingIntent

  /// The time of its start, since 1970; taking the order again renews it, unless the server has accepted the order.
  public var begunAt: Duration

  /// The time of its last PUT, recorded before the PUT is sent.
  ///
  /// After another start of the machine, or on another machine, it cannot be compared with the time now, so the time of the first
  /// unknown outcome replaces it.
  public var lastPutAt: Moment?

  public var checkpoint: TakingCheckpoint

  /// Whether the caller has the outcome.
  public var isDelivered: Bool

  /// The first attempt and the last seven.
  public private(set) var attempts: [TakingAttempt]

  public init(
    intent: TakingIntent, begunAt: Duration, lastPutAt: Moment? = nil, checkpoint: TakingCheckpoint = .begun,
    isDelivered: Bool = false, attempts: [TakingAttempt] = []
  ) {
    self.intent = intent
    self.begunAt = begunAt
    self.lastPutAt = lastPutAt
    self.checkpoint = checkpoint
    self.isDelivered = isDelivered
    self.attempts = attempts
  }

  public var state: TakingState {
    switch checkpoint {
    case .begun, .acknowledged, .accepted: .unfinished
    case .ended(.accepted): .accepted
    case .ended(.unknown): .unknown
    case .ended(.discarded): .discarded
    case .ended: .failed
    }
  }

  public var hasKnownOutcome: Bool { state != .unfinished && state != .unknown }

  /// Whether ``OrderTaker/resume(under:)`` continues it or delivers its outcome; always for an unknown one.
  public var needsResuming: Bool { !isDelivered || !hasKnownOutcome }

  /// The time since 1970 from which a worker continues the operation; `nil` if nothing is left to do.
  ///
  /// After an unknown outcome was delivered, it asks again a minute after the last attempt, then after twice the time, up to an hour.
  public var dueAt: Duration? {
    guard needsResuming else { return nil }
    guard state == .unknown, isDelivered else { return .zero }
    let last = attempts.last?.lastChangeAt ?? begunAt
    return last + min(.seconds(3_600), .seconds(60 << min(max(attempts.count - 1, 0), 6)))
  }

  /// Returns the due times at which a record waits at `now`, for every storage.
  ///
  /// The longest back-off is an hour, so a record with a later time is due: the clock was set back.
  package static func waitingTimes(at now: Duration) -> ClosedRange<Duration> {
    now + .nanoseconds(1)...now + .seconds(3_600)
  }

  package func isDue(at now: Duration) -> Bool {
    dueAt.map { !Self.waitingTimes(at: now).contains($0) } ?? false
  }

  mutating func noteChange(at time: Duration) {
    if let last = attempts.indices.last { attempts[last].lastChangeAt = time }
  }

  /// Adds or replaces the attempt of this process, and forgets the second one if there are more than eight.
  mutating func note(_ attempt: TakingAttempt, isNew: Bool) {
    if !isNew { attempts.removeLast() }
    attempts.append(attempt)
    if attempts.count > 8 { attempts.remove(at: 1) }
  }

  /// Notes the next step of the operation, which its caller does not know.
  mutating func note(_ checkpoint: TakingCheckpoint, at now: Moment) {
    self.checkpoint = checkpoint
    isDelivered = false
    // Otherwise no time since the last PUT could be proven after another start of the machine.
    let startsWait = if case .ended(.unknown) = checkpoint, let lastPutAt { lastPutAt.boot != now.boot } else { false }
    if checkpoint == .begun || startsWait { lastPutAt = now }
  }

  /// Returns whether a caller that has this result knows the outcome.
  func isReported<Details>(by result: Result<AcceptedOrder<Details>, OrderTakingFailure>) -> Bool {
    switch (checkpoint, result) {
    case (.ended(.accepted(let hasDetails)), .success(let accepted)): accepted.details != nil || !hasDetails
    case (.ended(let outcome), .failure(let failure)): failure.outcome == outcome && failure.key == intent.key
    default: false
    }
  }

  var isAccepted: Bool { checkpoint == .accepted || state == .accepted }

  /// A wrong answer is harmless: both a PUT with the same key and a GET lead to the order's outcome.
  func isOlder(than limit: Duration?, at now: Moment) -> Bool {
    guard let limit else { return false }
    let proven = lastPutAt.map { now.provenTime(since: $0) } ?? .zero
    return max(now.sinceEpoch - begunAt, proven) > limit
  }

  /// Returns whether the last PUT can still arrive: a request is never delayed by more than ten minutes.
  ///
  /// Only a clock that cannot be set decides this. Otherwise a failure could be reported, and the order then be accepted.
  func putCanStillArrive(at now: Moment) -> Bool {
    lastPutAt.map { now.provenTime(since: $0) <= .seconds(600) } ?? true
  }
}

// MARK: The stored form

/// The record as JSON text in a journal's table, without `isDelivered`, which has a column of its own.
///
/// Equal records have equal texts, so a journal can compare texts instead of records. The text is written by hand, because a journal
/// writes four in each taking. Times are in nanoseconds.
extension TakingRecord {
  private struct Stored: Decodable {
    struct Attempt: Decodable {
      var worker: String
      var from: Int64
      var to: Int64
      var requests: Int
      var error: String?
    }

    var order: OrderID
    var key: String
    var body: String
    var begun: Int64
    /// The two times of the last PUT.
    var put: [Int64]?
    var boot: UInt64?
    var checkpoint: TakingCheckpoint
    var attempts: [Attempt]
  }

  package var stored: String {
    var text = "{\"order\":\(quoted(intent.order.text)),\"key\":\"\(intent.key)\""
    text += ",\"body\":\"\(intent.body.isEmpty ? "" : Data(intent.body).base64EncodedString())\""
    text += ",\"begun\":\(begunAt.wholeNanoseconds)"
    if let put = lastPutAt {
      text += ",\"put\":[\(put.sinceEpoch.wholeNanoseconds),\(put.sinceBoot.wholeNanoseconds)],\"boot\":\(put.boot)"
    }
    text += ",\"checkpoint\":\(checkpoint.stored),\"attempts\":["
    for (index, attempt) in attempts.enumerated() {
      text +=
        "\(index == 0 ? "" : ","){\"worker\":\(quoted(attempt.worker)),\"from\":\(attempt.startedAt.wholeNanoseconds)"
      text += ",\"to\":\(attempt.lastChangeAt.wholeNanoseconds),\"requests\":\(attempt.requestCount)"
      if let error = attempt.lastError { text += ",\"error\":\(quoted(error))" }
      text += "}"
    }
    return text + "]}"
  }

  /// - Throws: ``JournalError`` of kind `damaged`.
  package init(stored text: String, of order: OrderID, isDelivered: Bool) throws(JournalError) {
    guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(text.utf8)), stored.order == order,
      let key = IdempotencyKey(stored.key), let body = Data(base64Encoded: stored.body)
    else {
      throw JournalError(
        .damaged,
        "Cannot read the record of order \(order): its text is no record. Remove its row, and take the order again.")
    }
    let put = stored.put ?? []
    self.init(
      intent: TakingIntent(order: order, key: key, body: Array(body)), begunAt: .nanoseconds(stored.begun),
      lastPutAt: put.count == 2
        ? Moment(sinceEpoch: .nanoseconds(put[0]), sinceBoot: .nanoseconds(put[1]), boot: stored.boot ?? 0) : nil,
      checkpoint: stored.checkpoint, isDelivered: isDelivered,
      attempts: stored.attempts.map { attempt in
        TakingAttempt(
          worker: attempt.worker, startedAt: .nanoseconds(attempt.from), lastChangeAt: .nanoseconds(attempt.to),
          requestCount: attempt.requests, lastError: attempt.error)
      })
  }
}

extension TakingCheckpoint {
  /// The JSON text of its synthesized coding; the encoder is used only for rare checkpoints.
  fileprivate var stored: String {
    switch self {
    case .begun: return #"{"begun":{}}"#
    case .acknowledged: return #"{"acknowledged":{}}"#
    case .accepted: return #"{"accepted":{}}"#
    case .ended(.accepted(let hasDetails)): return #"{"ended":{"_0":{"accepted":{"hasDetails":\#(hasDetails)}}}}"#
    case .ended:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      // Encoding of these types does not fail.
      return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
  }
}

/// Returns a text as a JSON string.
private func quoted(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
  if isPlain { return "\"\(text)\"" }
  let escaped = text.unicodeScalars.map { scalar in
    switch scalar {
    case "\"", "\\": "\\\(scalar)"
    case _ where scalar.value < 0x20: "\\u" + String(0x1_0000 + scalar.value, radix: 16).dropFirst()
    default: String(scalar)
    }
  }
  return "\"\(escaped.joined())\""
}
