internal import Foundation
internal import OrderTaking
internal import OrderTakingClients
internal import OrderTakingServer
internal import Terminal

/// An event of an order, as text.
struct TimelineEntry: Sendable, Equatable {
  let channel: String
  let text: String

  init(_ channel: String, _ text: String) {
    self.channel = channel
    self.text = text
  }
}

extension TimelineEntry {
  /// - Parameter name: Returns the name of a request.
  fileprivate init(_ progress: TakingProgress<String>, _ name: (TakingRequest) -> String) {
    switch progress.step {
    case .sent(let request): self.init("http", "\(name(request)) sent")
    case .pausing(let time): self.init("wait", Self.text(time))
    case .requestedToken: self.init("http", "requested a new token")
    case .ended(let outcome): self.init("end", Self.text(outcome))
    case .noticed(let notice): self.init(notice, name)
    }
  }

  private init(_ notice: TakingNotice, _ name: (TakingRequest) -> String) {
    switch notice {
    case .acknowledged: self.init("http", "the server is processing the order; waiting for a push")
    case .won(let result, let source):
      self.init(Self.channel(source), "\(Self.text(result)), first reported by \(Self.name(source))")
    case .contradiction(let first, let source, let second, let otherSource):
      self.init(
        Self.channel(otherSource),
        "\(Self.name(otherSource)) reports \(Self.text(second)), but \(Self.name(source)) reported \(Self.text(first)) "
          + "first; the first result counts")
    case .late(let result, let source):
      self.init(Self.channel(source), "\(Self.text(result)) after the operation ended; ignored")
    case .doubtful(let reason):
      self.init("http", "\(reason) may refer to our own PUT; checking with GET")
    case .foreignPush: self.init("push", "ignored a push for another intent")
    case .failed(let request, var error):
      // A message of the HTTP client is a long sentence, which the last error of the command repeats.
      if error.message.hasPrefix("Cannot ") { error.message = "" }
      self.init("http", "\(name(request)) failed: \(error)")
    case .notPersisted(let checkpoint, let failure):
      self.init("journal", "\(Self.text(failure)) \(Self.text(checkpoint))")
    }
  }

  init(_ notice: PushNotice) {
    switch notice {
    case .connecting: self.init("push", "connecting")
    case .subscribed(let after): self.init("push", "subscribed after cursor \(after)")
    case .received(let cursor): self.init("push", "received push \(cursor)")
    case .repeated(let cursor): self.init("push", "dropped duplicate push \(cursor)")
    case .missing(let after): self.init("push", "pushes after \(after) are missing; requested them again")
    case .ignored(let what): self.init("push", "ignored \(what)")
    case .refused: self.init("push", "the token was rejected; requesting a new one")
    case .lost(let reason, let delay):
      self.init("push", "disconnected: \(reason); reconnecting in \(Self.text(delay))")
    }
  }

  /// `nil` for events that the client reports itself.
  init?(_ event: OrderServerEvent) {
    switch event {
    case .request(let method, let path, _, _, let fault) where fault != .none:
      self.init("server", "fault: \(Self.text(fault)) on \(method) \(path)")
    case .pushed(let push, _, let fault?): self.init("server", "fault: push \(push.cursor) \(fault)")
    case .restarted: self.init("server", "restarted")
    case .storingFailed(let error), .auditFailed(let error): self.init("server", "\(error)")
    case .acceptingFailed(let error): self.init("server", error)
    case .request, .pushConnected, .pushClosed, .pushed: return nil
    }
  }

  private static func text(_ fault: ServerFaults.RequestFault) -> String {
    switch fault {
    case .none: "none"
    case .status(let status): "status \(status)"
    case .answerLost: "response lost after processing"
    case .reset: "connection reset before processing"
    case .resetAfterWork: "connection reset after processing"
    case .restart: "server restart"
    }
  }

  private static func name(_ source: TakingSource) -> String {
    switch source {
    case .put: "the PUT response"
    case .get: "the GET response"
    case .push: "a push"
    case .journal: "the journal"
    }
  }

  private static func text(_ failure: PersistenceFailure) -> String {
    switch failure {
    case .failed: "cannot record"
    case .unknown: "may not have recorded"
    case .fenced: "another process has taken over before it could record"
    }
  }

  private static func text(_ checkpoint: TakingCheckpoint) -> String {
    switch checkpoint {
    case .begun: "the start"
    case .acknowledged: "the acknowledgement"
    case .accepted: "the acceptance"
    case .ended(let outcome): "the outcome: \(text(outcome))"
    }
  }

  private static func channel(_ source: TakingSource) -> String {
    switch source {
    case .put, .get: "http"
    case .push: "push"
    case .journal: "journal"
    }
  }

  private static func text(_ result: TakingResult) -> String {
    switch result {
    case .accepted: "accepted"
    case .declined(let reason): "declined (\(reason))"
    }
  }

  private static func text(_ outcome: TakingOutcome) -> String {
    switch outcome {
    case .accepted(true): "accepted, with details"
    case .accepted(false): "accepted, without details"
    case .declined(let reason): "declined: \(reason)"
    case .rejected(let status): "rejected with status \(status)"
    case .cancelled: "cancelled; no PUT reached the server"
    case .expired: "not taken; no PUT reached the server"
    case .keyMismatch: "idempotency key already used for a different request"
    case .keyExpired: "idempotency key expired on the server"
    case .unrecorded: "cannot write the journal, so nothing was sent"
    case .unknown(.cancelled): "outcome unknown: cancelled"
    case .unknown(.expired): "outcome unknown: timed out"
    case .unknown(.refused(let status)): "outcome unknown: refused with status \(status)"
    case .unknown(.journal): "outcome unknown: cannot write the journal"
    case .unknown(.fenced): "outcome unknown: another process has taken over"
    }
  }

  static func text(_ duration: Duration) -> String { String(format: "%.3f s", duration / .seconds(1)) }
}

/// Numbers the requests of each order, separately for each kind.
///
/// The numbers of the state machine also count pauses, so they would show gaps.
private struct RequestNumbers {
  private var counts: [[UInt8]: [TakingRequest.Kind: Int]] = [:]

  /// The name of a request: `PUT 2` is the second PUT of its order.
  mutating func name(_ progress: TakingProgress<String>, _ request: TakingRequest) -> String {
    // Compare bytes, as the journal does.
    let order = Array(progress.order.utf8)
    if case .sent = progress.step { counts[order, default: [:]][request.kind, default: 0] += 1 }
    // A failure belongs to the request that was sent last.
    let number = counts[order]?[request.kind] ?? 1
    return switch request.kind {
    case .put: "PUT \(number)"
    case .get: "GET \(number)"
    case .details: "details \(number)"
    }
  }

  /// Removes an order that has ended.
  mutating func end(_ progress: TakingProgress<String>) {
    if case .ended = progress.step { counts[Array(progress.order.utf8)] = nil }
  }
}

/// Prints events as they happen, one on each line.
///
/// `@unchecked Sendable`: `lock` guards `isOver` and `numbers`, and keeps lines whole.
final class Timeline: @unchecked Sendable {
  static let silent = Timeline(on: nil, json: false) { .zero }

  private let device: TerminalDevice?
  private let json: Bool
  private let elapsed: @Sendable () -> Duration
  private let lock = NSLock()
  private var isOver = false
  /// Entries to print before any other, not guarded by `lock`, because a thread whose write is
  /// blocked by a slow reader holds `lock`.
  private let first = Locked<[(TimelineEntry, order: String)]>([])
  private var numbers = RequestNumbers()

  init(on device: TerminalDevice?, json: Bool, elapsed: @escaping @Sendable () -> Duration) {
    self.device = device
    self.json = json
    self.elapsed = elapsed
  }

  /// Prints the progress of an order; call it for every event, because it counts the requests.
  func show(_ progress: TakingProgress<String>, from level: TakingProgress<String>.Level = .debug) {
    let entry = lock.withLock {
      defer { numbers.end(progress) }
      return TimelineEntry(progress) { numbers.name(progress, $0) }
    }
    if progress.level >= level { show(entry, order: progress.order) }
  }

  /// The time since the command began.
  var now: Duration { elapsed() }

  /// - Parameter time: The time of the entry. By default, the present.
  func show(_ entry: TimelineEntry, order: String? = nil, at time: Duration? = nil) {
    lock.withLock {
      guard !isOver else { return }
      showFirst()
      // A closed pipe is not an error here.
      try? device?.write(line(entry, order, at: time) + "\n")
    }
  }

  /// Runs an action at once, even if a reader blocks the output, and prints `entry` before the effects of the action.
  ///
  /// - Parameter action: Returns whether it had an effect. If not, `entry` is dropped, unless it was printed already.
  func show(_ entry: TimelineEntry, order: String, _ action: () -> Bool) {
    first.withLock { $0.append((entry, order: order)) }
    guard action() else { return first.withLock { $0 = [] } }
    lock.withLock { if !isOver { showFirst() } }
  }

  private func showFirst() {
    let entries = first.withLock { entries in
      defer { entries = [] }
      return entries
    }
    for (entry, order) in entries { try? device?.write(line(entry, order) + "\n") }
  }

  /// Prints an entry that the user needs, such as the address of a server.
  ///
  /// - Throws: `TerminalError` when the output cannot be written, for example on a full disk. A closed pipe is not an error.
  func announce(_ entry: TimelineEntry) throws(TerminalError) {
    lock.lock()
    defer { lock.unlock() }
    do throws(TerminalError) { try device?.write(line(entry, nil) + "\n") } catch {
      guard error.kind == .closed else { throw error }
    }
  }

  /// Stops printing, so that clean-up is not part of the timeline.
  func end() { lock.withLock { isOver = true } }

  private func line(_ entry: TimelineEntry, _ order: String?, at time: Duration? = nil) -> String {
    let time = (time ?? elapsed()) / .seconds(1)
    guard json else {
      return String(format: "%8.3f s  ", time)
        + escaped(
          entry.channel.padding(toLength: 8, withPad: " ", startingAt: 0)
            + (order.map { $0 + "  " } ?? "") + entry.text)
    }
    struct Line: Encodable { let at: Double, channel: String, order: String?, text: String }
    return jsonLine(
      Line(at: (time * 1_000).rounded() / 1_000, channel: entry.channel, order: order, text: entry.text))
  }
}
