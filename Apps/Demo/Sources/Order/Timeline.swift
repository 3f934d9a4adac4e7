internal import Foundation
internal import OrderTaking
internal import OrderTakingClients
internal import OrderTakingServer

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
    var lastErrors: [OrderKey<String>: HTTPError] = [:]
  }

  private let output: Output?
  private let start = ContinuousClock.now
  private let state = Locked(State())

  /// - Parameter output: `nil` for a timeline that prints nothing.
  init(_ output: Output?) { self.output = output }

  /// Prints the progress of an order.
  func show(_ progress: TakingProgress<String>) {
    let order = OrderKey(progress.order)
    switch progress.step {
    case .noticed(.failed(_, let error)): state.withLock { $0.lastErrors[order] = error }
    case .noticed(.acknowledged): state.withLock { $0.lastErrors[order] = nil }
    default: break
    }
    show(TimelineEvent(progress.step), order: progress.order)
  }

  /// Removes and returns the error of the last failed request of an order, or `nil` if the server has acknowledged one since.
  func removeLastError(of order: String) -> HTTPError? {
    state.withLock { $0.lastErrors.removeValue(forKey: OrderKey(order)) }
  }

  func show(_ event: TimelineEvent, order: String? = nil) {
    guard let output else { return }
    let time = start.duration(to: .now) / .seconds(1)
    var event = event
    (event.at, event.order) = ((time * 1_000).rounded() / 1_000, order)
    let channel = event.channel.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0)
    let line = String(format: "%8.3f s  ", time) + channel + (order.map { $0 + "  " } ?? "") + event.text
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
  fileprivate init(_ step: TakingProgress<String>.Step) {
    func name(_ request: TakingRequest) -> String {
      switch request.kind {
      case .put: "PUT"
      case .get: "GET"
      case .details: "GET of the details"
      }
    }
    switch step {
    case .sent(let request): self.init(.http, "\(name(request)) sent")
    case .pausing(let time): self.init(.wait, seconds(time))
    case .requestedToken: self.init(.http, "requested a new token")
    case .ended(.accepted(let hasDetails)):
      self.init(.end, hasDetails ? "accepted, with details" : "accepted, without details", kind: .result)
    case .ended(.declined(let reason)): self.init(.end, "declined: \(reason)", kind: .result)
    case .ended(.unknown): self.init(.end, "outcome unknown", kind: .result)
    case .ended(let outcome): self.init(.end, OrderTakingFailure(outcome)?.kind.rawValue ?? "", kind: .result)
    case .noticed(.acknowledged): self.init(.http, "the server is processing the order; waiting for a push")
    case .noticed(.won(let result, let source)):
      self.init(source.channel, "\(words(result)), first reported by \(source.name)", kind: .result)
    case .noticed(.contradiction(let first, let source, let second, let other)):
      let ignored = "ignored \(words(second)) from \(other.name)"
      self.init(other.channel, "\(ignored), after \(words(first)) from \(source.name)", kind: .failure)
    case .noticed(.late(let result, let source)):
      self.init(source.channel, "\(words(result)) after the operation ended; ignored")
    case .noticed(.doubtful(let reason)): self.init(.http, "\(reason) may refer to our own PUT; checking with GET")
    case .noticed(.foreignPush): self.init(.push, "ignored a push for another intent")
    case .noticed(.failed(let request, var error)):
      // The last message is part of the command's error.
      error.message = ""
      self.init(.http, "\(name(request)) failed: \(error)", kind: .failure)
    case .noticed(.notPersisted(_, let failure)):
      let words =
        switch failure {
        case .failed: "cannot record a step"
        case .unknown: "may not have recorded a step"
        case .fenced: "another process has taken over before a step was recorded"
        }
      self.init(.journal, words, kind: .failure)
    }
  }

  init(_ notice: PushNotice) {
    switch notice {
    case .connecting: self.init(.push, "connecting")
    case .subscribed(let after): self.init(.push, "subscribed after cursor \(after)")
    case .received(let cursor): self.init(.push, "received push \(cursor)")
    case .repeated(let cursor): self.init(.push, "dropped duplicate push \(cursor)")
    case .missing(let after): self.init(.push, "pushes after \(after) are missing; requested them again")
    case .ignored(let what): self.init(.push, "ignored \(what)")
    case .refused: self.init(.push, "the token was rejected; requesting a new one", kind: .failure)
    case .lost(let reason, let delay):
      self.init(.push, "disconnected: \(reason); reconnecting in \(seconds(delay))", kind: .failure)
    }
  }

  init(_ event: OrderServerEvent) {
    switch event {
    case .request(let method, let path, let driver, let status, .none):
      let end = status.map { "\($0)" } ?? "no response"
      self.init(.server, "\(method) \(path) by \(driver ?? "unknown driver"): \(end)")
    case .request(let method, let path, _, _, let fault):
      self.init(.server, "fault: \(words(fault)) on \(method) \(path)", kind: .failure)
    case .pushConnected(let connection): self.init(.server, "push connection \(connection) opened")
    case .pushClosed(let connection, let driver, let reason):
      self.init(.server, "push connection \(connection) of \(driver ?? "unknown driver") closed: \(reason)")
    case .pushed(let push, _, let fault?):
      self.init(.server, "fault: push \(push.cursor) \(fault)", kind: .failure)
    case .pushed(let push, let connection, nil):
      self.init(.server, "push \(push.cursor) of \(push.order) to \(push.driver), connection \(connection)")
    case .storingFailed(let error), .auditFailed(let error): self.init(.server, "\(error)", kind: .failure)
    case .restarted: self.init(.server, "restarted", kind: .failure)
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

private func words(_ fault: ServerFaults.RequestFault) -> String {
  switch fault {
  case .none: "none"
  case .status(let status): "status \(status)"
  case .answerLost: "response lost after processing"
  case .reset: "connection reset before processing"
  case .resetAfterWork: "connection reset after processing"
  case .restart: "server restart"
  }
}

private func words(_ result: TakingResult) -> String {
  switch result {
  case .accepted: "accepted"
  case .declined(let reason): "declined (\(reason))"
  }
}

func seconds(_ duration: Duration) -> String { String(format: "%.3f s", duration / .seconds(1)) }
