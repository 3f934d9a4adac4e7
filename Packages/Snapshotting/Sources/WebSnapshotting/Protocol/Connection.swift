internal import Dispatch
internal import Foundation

/// Something to ask of the browser.
struct Command: Sendable, Hashable {
  let method: String
  let parameters: JSONValue

  init(_ method: String, _ parameters: JSONValue = [:]) {
    self.method = method
    self.parameters = parameters
  }
}

/// The pipe to a running browser: writes commands, and hands replies and events to those who wait for them.
///
/// `@unchecked Sendable`: `lock` guards everything that changes; the descriptor is read, written and closed on `queue` only.
final class Connection: @unchecked Sendable {
  typealias EventHandler = @Sendable (BrowserEvent) -> Void

  /// Who is told of a session's events, and of the end of all sessions.
  private struct Listener {
    let handler: EventHandler
    let onEnd: @Sendable (WebError) -> Void
  }

  private let descriptor: Int32
  private let queue = DispatchQueue(label: "WebSnapshotting.Connection")
  private let lock = NSLock()
  private var conversation = PipeConversation()
  private var waiters: [Int: @Sendable (Result<JSONValue, any Error>) -> Void] = [:]
  private var listeners: [String: Listener] = [:]
  private var failure: WebError?
  private var onEnd: (@Sendable (WebError) -> Void)?

  private var reader: (any DispatchSourceRead)?
  private var writer: (any DispatchSourceWrite)?
  private var outbox: [[UInt8]] = []
  private var outboxOffset = 0
  private var isWriterRunning = false

  /// Takes over a connected socket, which is closed when all is over.
  ///
  /// - Parameter onEnd: Called once, when the browser has closed its side, sent nonsense, or ``close()`` was called.
  init(socket: Int32, onEnd: @escaping @Sendable (WebError) -> Void) {
    descriptor = socket
    self.onEnd = onEnd
    _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
    let reader = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
    let writer = DispatchSource.makeWriteSource(fileDescriptor: socket, queue: queue)
    reader.setEventHandler { [weak self] in self?.read() }
    writer.setEventHandler { [weak self] in self?.write() }
    // The descriptor may be closed when neither source looks at it any more.
    let sources = DispatchGroup()
    sources.enter()
    sources.enter()
    reader.setCancelHandler { sources.leave() }
    writer.setCancelHandler { sources.leave() }
    sources.notify(queue: queue) { Glue.close(socket) }
    self.reader = reader
    self.writer = writer
    reader.activate()
  }

  deinit {
    endSources()
  }

  /// Gives commands, and waits for all of their replies.
  ///
  /// They are written at once and carried out in order, which saves the way there and back of all but one.
  ///
  /// - Parameters:
  ///   - commands: What is asked for.
  ///   - session: Of which tab; of the browser itself if `nil`.
  ///   - onLate: Is told of each reply that comes when nobody waits for it any more, to undo what was done in vain.
  /// - Throws: `RefusedCommand` when the browser refuses one, ``WebError`` when it ends first, `CancellationError` when the
  ///   task is cancelled; the commands themselves are not taken back then.
  @discardableResult
  func send(
    _ commands: [Command], session: String? = nil, onLate: (@Sendable (JSONValue) -> Void)? = nil
  ) async throws -> [JSONValue] {
    let replies = Replies(count: commands.count, onLate: onLate)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        replies.wait(with: continuation)
        var bytes: [UInt8] = []
        let over: WebError? = lock.withLock {
          guard failure == nil else { return failure }
          for (index, command) in commands.enumerated() {
            let (id, text) = conversation.command(command.method, command.parameters, session: session)
            waiters[id] = { replies.arrive($0, at: index) }
            bytes += text
          }
          return nil
        }
        if let over { return replies.fail(over) }
        queue.async { [bytes] in self.enqueue(bytes) }
      }
    } onCancel: {
      replies.fail(CancellationError())
    }
  }

  /// Gives a command, and waits for its reply; see ``send(_:session:onLate:)``.
  @discardableResult
  func send(_ method: String, _ parameters: JSONValue = [:], session: String? = nil) async throws -> JSONValue {
    try await send([Command(method, parameters)], session: session)[0]
  }

  /// Gives a command whose reply nobody waits for.
  ///
  /// - Parameter onRefusal: Called when the browser refuses it.
  func post(
    _ method: String, _ parameters: JSONValue = [:], session: String? = nil, onRefusal: (@Sendable () -> Void)? = nil
  ) {
    let bytes: [UInt8]? = lock.withLock {
      guard failure == nil else { return nil }
      let (id, bytes) = conversation.command(method, parameters, session: session)
      if let onRefusal {
        waiters[id] = { if case .failure(is RefusedCommand) = $0 { onRefusal() } }
      } else {
        conversation.giveUp(id)
      }
      return bytes
    }
    if let bytes { queue.async { self.enqueue(bytes) } }
  }

  /// Why the connection is over; `nil` while it is not.
  var end: WebError? { lock.withLock { failure } }

  /// Sets who is told of a session's events, in order, one at a time; the empty name is for those of the browser itself.
  ///
  /// - Parameter onEnd: Called once, when no event will come any more, since the connection is over.
  func handleEvents(
    of session: String, onEnd: @escaping @Sendable (WebError) -> Void, _ handler: @escaping EventHandler
  ) {
    let over = lock.withLock {
      if failure == nil { listeners[session] = Listener(handler: handler, onEnd: onEnd) }
      return failure
    }
    if let over { onEnd(over) }
  }

  /// Tells who is told of a session's events of one more, which came from elsewhere.
  func pass(_ event: BrowserEvent, to session: String) {
    let listener = lock.withLock { listeners[session] }
    listener?.handler(event)
  }

  /// Tells nobody of a session's events any more.
  func ignoreEvents(of session: String) {
    lock.withLock { listeners[session] = nil }
  }

  /// Ends the connection: all that is waited for fails.
  func close(_ reason: WebError) {
    queue.async { self.finish(reason) }
  }

  // MARK: On the queue

  private func enqueue(_ bytes: [UInt8]) {
    outbox.append(bytes)
    if !isWriterRunning { write() }
  }

  private func write() {
    while let first = outbox.first {
      let count = Glue.send(descriptor, first, from: outboxOffset)
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN, !isWriterRunning {
          isWriterRunning = true
          writer?.resume()
        }
        // Anything else shows when reading, together with what the browser said before.
        return
      }
      outboxOffset += count
      if outboxOffset == first.count {
        outbox.removeFirst()
        outboxOffset = 0
      }
    }
    if isWriterRunning {
      isWriterRunning = false
      writer?.suspend()
    }
  }

  private func read() {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = chunk.withUnsafeMutableBytes { Glue.read(descriptor, $0) }
    if count > 0 {
      let messages = lock.withLock { conversation.receive(chunk[..<count]) }
      for message in messages { take(message) }
    } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
      finish(.browserEnded)
    }
  }

  private func take(_ message: BrowserMessage) {
    switch message {
    case .reply(let id, let result):
      let waiter = lock.withLock { waiters.removeValue(forKey: id) }
      waiter?(result.mapError { $0 })
    case .event(let event):
      let listener = lock.withLock { listeners[event.session ?? ""] }
      listener?.handler(event)
    case .nonsense(let what):
      finish(.nonsense(what))
    }
  }

  private func finish(_ reason: WebError) {
    let (waiting, listening, tell, reason) = lock.withLock {
      defer { (waiters, listeners) = ([:], [:]) }
      let first = failure ?? reason
      failure = first
      return (waiters, listeners, onEnd.take(), first)
    }
    endSources()
    tell?(reason)
    for waiter in waiting.values { waiter(.failure(reason)) }
    // Who waits for an event waits in vain as much as who waits for a reply.
    for listener in listening.values { listener.onEnd(reason) }
  }

  private func endSources() {
    reader?.cancel()
    reader = nil
    writer?.cancel()
    // A source that is cancelled while it is suspended tells nobody until it is resumed.
    if !isWriterRunning { writer?.resume() }
    isWriterRunning = true
    writer = nil
  }
}
