internal import Foundation
internal import OrderTaking
internal import OrderTakingClients
internal import OrderTakingServer
internal import Terminal

/// One thing that happened while an order was taken, as it is shown.
struct TimelineEntry: Sendable, Equatable {
  let channel: String
  let text: String

  init(_ channel: String, _ text: String) {
    self.channel = channel
    self.text = text
  }
}

extension TimelineEntry {
  /// - Parameter name: Names a request.
  fileprivate init(_ progress: TakingProgress<String>, _ name: (TakingRequest) -> String) {
    switch progress.happening {
    case .sent(let request): self.init("http", "\(name(request)) sent")
    case .pausing(let time): self.init("wait", Self.text(time))
    case .askedForToken: self.init("http", "asked for a fresh token")
    case .ended(let outcome): self.init("end", Self.text(outcome))
    case .noticed(let notice): self.init(notice, name)
    }
  }

  private init(_ notice: TakingNotice, _ name: (TakingRequest) -> String) {
    switch notice {
    case .acknowledged: self.init("http", "the server is processing it; a push is awaited")
    case .won(let result, let source):
      self.init(Self.channel(source), "\(Self.text(result)), told first by \(Self.name(source))")
    case .contradiction(let first, let source, let second, let otherSource):
      self.init(
        Self.channel(otherSource),
        "\(Self.name(otherSource)) says \(Self.text(second)), but \(Self.name(source)) has said \(Self.text(first)), "
          + "which stands")
    case .late(let result, let source): self.init(Self.channel(source), "\(Self.text(result)), too late")
    case .doubtful(let reason): self.init("http", "\(reason) may be the echo of our own PUT; asking")
    case .foreignPush: self.init("push", "one for another intent, ignored")
    case .failed(let request, let error): self.init("http", "\(name(request)) failed: \(error)")
    case .recordingFailed(let change): self.init("journal", "could not record \(Self.text(change))")
    }
  }

  init(_ notice: PushNotice) {
    switch notice {
    case .connecting: self.init("push", "connecting")
    case .subscribed(let after): self.init("push", "subscribed, after \(after)")
    case .received(let cursor): self.init("push", "number \(cursor) arrived")
    case .repeated(let cursor): self.init("push", "number \(cursor) again, dropped")
    case .missing(let after): self.init("push", "something after \(after) is missing; asked for it")
    case .ignored(let what): self.init("push", "ignored \(what)")
    case .refused: self.init("push", "the token is refused; asking for a fresh one")
    case .lost(let reason, let delay): self.init("push", "lost: \(reason); back in \(Self.text(delay))")
    }
  }

  /// `nil` for what is seen from the client's side anyway.
  init?(_ event: OrderServerEvent) {
    switch event {
    case .request(let method, let path, _, _, let fault) where fault != .none:
      self.init("server", "fault: \(Self.text(fault)) for \(method) \(path)")
    case .pushed(let push, _, let fault?): self.init("server", "fault: push \(push.cursor) \(fault)")
    case .restarted: self.init("server", "started anew")
    case .storingFailed(let error): self.init("server", "\(error)")
    case .request, .pushConnected, .pushClosed, .pushed: return nil
    }
  }

  private static func text(_ fault: ServerFaults.RequestFault) -> String {
    switch fault {
    case .none: "none"
    case .status(let status): "status \(status)"
    case .answerLost: "the work is done, the answer lost"
    case .reset: "reset before the work"
    case .resetAfterWork: "reset after the work"
    case .restart: "the server restarts"
    }
  }

  private static func name(_ source: TakingSource) -> String {
    switch source {
    case .put: "the answer to PUT"
    case .get: "the answer to GET"
    case .push: "a push"
    case .journal: "the journal"
    }
  }

  private static func text(_ change: TakingChange) -> String {
    switch change {
    case .begun: "that it begins"
    case .acknowledged: "that the server is processing it"
    case .accepted: "that the order is yours"
    case .ended(let outcome): "how it ended: \(text(outcome))"
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
    case .cancelled: "cancelled; nothing can have reached the server"
    case .expired: "expired; nothing can have reached the server"
    case .keyMismatch: "the server knows the key with another body"
    case .keyExpired: "the server has forgotten the key"
    case .unrecorded: "the journal could not be written, so nothing was sent"
    case .unknown(.cancelled): "unknown: cancelled on the way"
    case .unknown(.expired): "unknown: time ran out"
    case .unknown(.refused(let status)): "unknown: the server refuses to say, with status \(status)"
    }
  }

  static func text(_ duration: Duration) -> String { String(format: "%.3f s", duration / .seconds(1)) }
}

/// Counts the requests of each order, each kind by itself.
///
/// The machine's own numbers are shared with the pauses between requests, so they have gaps that nobody could explain.
private struct RequestNumbers {
  private var counts: [[UInt8]: [TakingRequest.Kind: Int]] = [:]

  /// What a request is called: `PUT 2` is the second PUT of its order.
  mutating func name(_ happening: TakingProgress<String>, _ request: TakingRequest) -> String {
    // By its bytes, as the journal tells orders apart.
    let order = Array(happening.order.utf8)
    if case .sent = happening.happening { counts[order, default: [:]][request.kind, default: 0] += 1 }
    // What fails is the one that was sent last.
    let number = counts[order]?[request.kind] ?? 1
    return switch request.kind {
    case .put: "PUT \(number)"
    case .get: "GET \(number)"
    case .details: "details \(number)"
    }
  }

  /// Forgets an order that has come to its end.
  mutating func end(_ happening: TakingProgress<String>) {
    if case .ended = happening.happening { counts[Array(happening.order.utf8)] = nil }
  }
}

/// Prints what happens as it happens, a line each, in the order in which it is told.
///
/// `@unchecked Sendable`: `lock` guards `isOver` and `numbers`, and keeps lines whole.
final class Timeline: @unchecked Sendable {
  /// Shows nothing.
  static let silent = Timeline(on: nil, json: false) { .zero }

  private let device: TerminalDevice?
  private let json: Bool
  private let elapsed: @Sendable () -> Duration
  private let lock = NSLock()
  private var isOver = false
  /// What is to be shown before anything else is; not behind `lock`, which whoever writes holds for as long as the reader likes.
  private let first = Locked<[(TimelineEntry, order: String)]>([])
  private var numbers = RequestNumbers()

  init(on device: TerminalDevice?, json: Bool, elapsed: @escaping @Sendable () -> Duration) {
    self.device = device
    self.json = json
    self.elapsed = elapsed
  }

  /// Shows what happens to an order, if it matters enough; all of it has to be told, since it is counted here.
  func show(_ progress: TakingProgress<String>, from level: TakingProgress<String>.Level = .debug) {
    let entry = lock.withLock {
      defer { numbers.end(progress) }
      return TimelineEntry(progress) { numbers.name(progress, $0) }
    }
    if progress.level >= level { show(entry, order: progress.order) }
  }

  func show(_ entry: TimelineEntry, order: String? = nil) {
    lock.withLock {
      guard !isOver else { return }
      showFirst()
      // A reader that has seen enough is no reason to fail.
      try? device?.write(line(entry, order) + "\n")
    }
  }

  /// Does something, and shows before what comes of it that it is done.
  ///
  /// It is done at once, however slowly somebody reads what was shown before.
  ///
  /// - Parameter action: Says whether there was something to do; nothing is shown if there was not, unless it ended that very moment.
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

  /// Shows what somebody needs to go on.
  ///
  /// - Throws: `TerminalError` when it cannot be written, as when a disk is full; a reader that has gone is no reason.
  func announce(_ entry: TimelineEntry) throws(TerminalError) {
    lock.lock()
    defer { lock.unlock() }
    do throws(TerminalError) { try device?.write(line(entry, nil) + "\n") } catch {
      guard error.kind == .closed else { throw error }
    }
  }

  /// Shows nothing any more: how things are put away is no part of the story.
  func end() { lock.withLock { isOver = true } }

  private func line(_ entry: TimelineEntry, _ order: String?) -> String {
    let time = elapsed() / .seconds(1)
    guard json else {
      return String(format: "%8.3f s  ", time)
        + OrderText.line(
          entry.channel.padding(toLength: 8, withPad: " ", startingAt: 0)
            + (order.map { $0 + "  " } ?? "") + entry.text)
    }
    struct Line: Encodable { let at: Double, channel: String, order: String?, text: String }
    return jsonLine(
      Line(at: (time * 1_000).rounded() / 1_000, channel: entry.channel, order: order, text: entry.text))
  }
}
