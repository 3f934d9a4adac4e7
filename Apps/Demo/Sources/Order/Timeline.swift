internal import Foundation
internal import OrderTaking

/// A step of an order, of its push channel or of a server, as `--json` prints it.
struct TimelineEvent: Codable, Sendable, Equatable {
  enum Channel: String, Codable, Sendable { case you, http, push, wait, journal, server, worker, crash, end }
  enum Kind: String, Codable, Sendable {
    case step
    /// A request, a push or a write failed, or a server simulates that.
    case failure
    /// The order has a result.
    case result
  }

  /// The time since the start of the command, in seconds.
  var at = 0.0
  var order: String?
  let channel: Channel
  let kind: Kind
  /// The event, for people.
  let text: String

  init(_ channel: Channel, _ text: String, kind: Kind = .step) {
    (self.channel, self.kind, self.text) = (channel, kind, text)
  }
}

/// Prints the events of a command as they happen, one on each line.
final class Timeline: Sendable {
  private struct State {
    var isOver = false
    var lastErrors: [OrderID: HTTPError] = [:]
  }

  private let output: Output?
  private let start = ContinuousClock.now
  private let state = Locked(State())

  /// - Parameter output: `nil` for a timeline that prints nothing.
  init(_ output: Output?) { self.output = output }

  /// Prints what takers, push channels, workers and servers report.
  var observer: Observer {
    Observer { [self] observed in
      if case .progress(let progress) = observed {
        switch progress.step {
        case .report(.failed(_, let error)): state.withLock { $0.lastErrors[progress.order] = error }
        case .report(.acknowledged): state.withLock { $0.lastErrors[progress.order] = nil }
        default: break
        }
      }
      if let event = TimelineEvent(observed) { show(event) }
    }
  }

  /// Removes and returns the error of the last failed request of an order, or `nil` if the server has acknowledged one since.
  func removeLastError(of order: OrderID) -> HTTPError? {
    state.withLock { $0.lastErrors.removeValue(forKey: order) }
  }

  func show(_ event: TimelineEvent, order: OrderID? = nil) {
    guard let output else { return }
    let time = start.duration(to: .now) / .seconds(1)
    var event = event
    event.at = (time * 1_000).rounded() / 1_000
    if let order { event.order = order.text }
    let channel = event.channel.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0)
    let line = String(format: "%8.3f s  ", time) + channel + (event.order.map { $0 + "  " } ?? "") + event.text
    // Under the lock, because no event may follow the result of the command.
    state.withLock { state in
      guard !state.isOver else { return }
      // A closed pipe is not an error here: the command prints its result later.
      try? output.result(event, line)
    }
  }

  /// Stops printing, so that the result is the last line.
  func end() { state.withLock { $0.isOver = true } }
}

// MARK: The texts of the events

extension TimelineEvent {
  /// Returns `nil` for an event that the timeline does not show.
  init?(_ event: ObservedEvent) {
    switch event {
    case .progress(let progress):
      self.init(progress.step)
      order = progress.order.text
    case .request(let request) where request.side == .server:
      let who = request.driver ?? "unknown driver"
      switch request.result {
      case .unanswered: self.init(.server, "\(request.route) by \(who): fault, no response", kind: .failure)
      case .status(let status):
        self.init(.server, "\(request.route) by \(who): \(status)", kind: status == 500 ? .failure : .step)
      case .failed, .cancelled: return nil
      }
      order = request.order
    case .connection(let connection):
      let (channel, name): (Channel, String) =
        connection.side == .server ? (.server, "push connection") : (.push, "push channel")
      switch connection.change {
      case .opened: self.init(channel, "\(name) opened")
      case .lost(let reason):
        self.init(channel, "\(name) lost: \(reason)", kind: connection.side == .client ? .failure : .step)
      }
    case .worker(let change): self.init(change)
    case .leases(.lost, let count): self.init(.worker, "lost \(count) leases to other workers", kind: .failure)
    case .request, .leases: return nil
    }
  }

  private init(_ change: WorkerChange) {
    switch change {
    case .started: self.init(.worker, "started")
    case .stopping(let count): self.init(.worker, "stopping; waiting for \(count) orders")
    case .stopped(let count): self.init(.worker, "stopped; released \(count) orders to other workers")
    case .storageFailed(let error): self.init(.worker, "\(error)", kind: .failure)
    case .storageRecovered: self.init(.worker, "the journal can be used again")
    case .notDelivered(_, _, let error): self.init(.worker, "cannot print an outcome: \(error)", kind: .failure)
    }
  }

  private init?(_ step: TakingEffect) {
    func name(_ request: TakingRequest) -> String {
      switch request.kind {
      case .put: "PUT"
      case .get: "GET"
      case .details: "GET of the details"
      case .token: "request of a new token"
      }
    }
    switch step {
    case .send(let request): self.init(.http, "\(name(request)) sent")
    case .startTimer(.pause, let time): self.init(.wait, seconds(time))
    case .finish(.accepted(let hasDetails)):
      self.init(.end, hasDetails ? "accepted, with details" : "accepted, without details", kind: .result)
    case .finish(.declined(let reason)): self.init(.end, "declined: \(reason)", kind: .result)
    case .finish(.unknown): self.init(.end, "outcome unknown", kind: .result)
    case .finish(let outcome): self.init(.end, OrderTakingFailure(outcome)?.kind.rawValue ?? "", kind: .result)
    case .report(.acknowledged): self.init(.http, "the server is processing the order; waiting for a push")
    case .report(.won(let result, let source)):
      self.init(source.channel, "\(words(result)), first reported by \(source.name)", kind: .result)
    case .report(.contradiction(let first, let source, let second, let other)):
      let ignored = "ignored \(words(second)) from \(other.name)"
      self.init(other.channel, "\(ignored), after \(words(first)) from \(source.name)", kind: .failure)
    case .report(.late(let result, let source)):
      self.init(source.channel, "\(words(result)) after the operation ended; ignored")
    case .report(.doubtful(let reason)): self.init(.http, "\(reason) may refer to our own PUT; checking with GET")
    case .report(.foreignPush): self.init(.push, "ignored a push for another intent")
    case .report(.failed(let request, var error)):
      // The last message is part of the command's error.
      error.message = ""
      self.init(.http, "\(name(request)) failed: \(error)", kind: .failure)
    case .report(.notPersisted(_, let failure)):
      let words =
        switch failure.kind {
        case .unknownOutcome: "may not have recorded a step"
        case .fenced: "another process has taken over before a step was recorded"
        default: "cannot record a step"
        }
      self.init(.journal, words, kind: .failure)
    case .report(.retrying), .persist, .readRecord, .abandon, .startTimer, .stopTimer: return nil
    }
  }
}

extension TakingSource {
  fileprivate var channel: TimelineEvent.Channel {
    switch self {
    case .put, .get: .http
    case .push: .push
    case .journal: .journal
    }
  }

  fileprivate var name: String {
    switch self {
    case .put: "the PUT response"
    case .get: "the GET response"
    case .push: "a push"
    case .journal: "the journal"
    }
  }
}

private func words(_ result: TakingResult) -> String {
  switch result {
  case .accepted: "accepted"
  case .declined(let reason): "declined (\(reason))"
  }
}

func seconds(_ duration: Duration) -> String { String(format: "%.3f s", duration / .seconds(1)) }
