internal import Dispatch
internal import Foundation

/// `@unchecked Sendable`: `lock` guards everything that changes; the descriptor and the outbox are used on `queue`
/// only.
final class Connection: @unchecked Sendable {
  private struct Listener {
    let onEvent: @Sendable (BrowserEvent) -> Void
    let onEnd: @Sendable (WebError) -> Void
  }

  private let descriptor: Int32
  private let queue = DispatchQueue(label: "WebSnapshotting.Connection")
  private let lock = NSLock()
  private var coder = MessageCoder()
  private var handlers: [Int: @Sendable (Result<JSONValue, any Error>) -> Void] = [:]
  private var listeners: [String: Listener] = [:]
  private var failure: WebError?
  private var onEnd: (@Sendable (WebError) -> Void)?

  private var reader: (any DispatchSourceRead)?
  private var writer: (any DispatchSourceWrite)?
  private var outbox: [[UInt8]] = []
  private var outboxOffset = 0
  private var isWriterRunning = false

  /// - Parameter onEnd: Called once: when the browser closes its side, when its output is invalid, or after
  ///   ``close(_:)``.
  init(socket: Int32, onEnd: @escaping @Sendable (WebError) -> Void) {
    descriptor = socket
    self.onEnd = onEnd
    _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
    let reader = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
    let writer = DispatchSource.makeWriteSource(fileDescriptor: socket, queue: queue)
    reader.setEventHandler { [weak self] in self?.read() }
    writer.setEventHandler { [weak self] in self?.write() }
    // The descriptor must stay open until both sources are cancelled.
    let sources = DispatchGroup()
    sources.enter()
    sources.enter()
    reader.setCancelHandler { sources.leave() }
    writer.setCancelHandler { sources.leave() }
    sources.notify(queue: queue) { Foundation.close(socket) }
    self.reader = reader
    self.writer = writer
    reader.activate()
  }

  deinit {
    cancelSources()
  }

  /// Sends commands at once, and waits for all replies.
  ///
  /// The browser runs them in order. Sending them together saves round trips.
  ///
  /// - Parameters:
  ///   - session: The session of the tab or worker; `nil` for the browser itself.
  ///   - onLate: Called with the replies if they arrive after the wait has failed, to undo the commands.
  /// - Throws: `RefusedCommand` if the browser refuses a command; ``WebError`` if the browser ends; `CancellationError` if the
  ///   task is cancelled. The browser still runs the commands then.
  @discardableResult
  func send(
    _ commands: [Command], session: String? = nil, onLate: (@Sendable (JSONValue) -> Void)? = nil
  ) async throws -> [JSONValue] {
    if commands.isEmpty { return [] }
    let batch = Batch(count: commands.count, onLate: onLate)
    let end: WebError? = lock.withLock {
      if let failure { return failure }
      var bytes: [UInt8] = []
      for (index, command) in commands.enumerated() {
        let (id, text) = coder.encode(command, session: session)
        handlers[id] = { batch.complete(index, $0) }
        bytes += text
      }
      queue.async { [bytes] in self.enqueue(bytes) }
      return nil
    }
    if let end { throw end }
    return try await batch.waiter.value()
  }

  @discardableResult
  func send(_ method: String, _ parameters: JSONValue = [:], session: String? = nil) async throws -> JSONValue {
    try await send([Command(method, parameters)], session: session)[0]
  }

  func post(
    _ method: String, _ parameters: JSONValue = [:], session: String? = nil, onRefusal: (@Sendable () -> Void)? = nil
  ) {
    lock.withLock {
      guard failure == nil else { return }
      let (id, bytes) = coder.encode(Command(method, parameters), session: session)
      handlers[id] = { if case .failure(is RefusedCommand) = $0 { onRefusal?() } }
      queue.async { self.enqueue(bytes) }
    }
  }

  /// The reason why the connection has ended; `nil` while it is open.
  var closeReason: WebError? { lock.withLock { failure } }

  /// Registers the listener of a session, which receives its events in order; the empty name is the browser's.
  func listen(
    to session: String, onEnd: @escaping @Sendable (WebError) -> Void,
    _ onEvent: @escaping @Sendable (BrowserEvent) -> Void
  ) {
    let failure = lock.withLock {
      if self.failure == nil { listeners[session] = Listener(onEvent: onEvent, onEnd: onEnd) }
      return self.failure
    }
    if let failure { onEnd(failure) }
  }

  func ignore(_ session: String) {
    lock.withLock { listeners[session] = nil }
  }

  func deliver(_ event: BrowserEvent, to session: String) {
    lock.withLock { listeners[session] }?.onEvent(event)
  }

  /// Everything that waits fails.
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
      let count = SystemCalls.send(descriptor, first, from: outboxOffset)
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN, !isWriterRunning {
          isWriterRunning = true
          writer?.resume()
        }
        // Reading reports any other error, after the browser's last messages.
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
    let count = Foundation.read(descriptor, &chunk, chunk.count)
    if count > 0 {
      for message in lock.withLock({ coder.decode(chunk[..<count]) }) { receive(message) }
    } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
      finish(.browserEnded)
    }
  }

  private func receive(_ message: BrowserMessage) {
    switch message {
    case .reply(let id, let result): lock.withLock { handlers.removeValue(forKey: id) }?(result.mapError { $0 })
    case .event(let event): deliver(event, to: event.session ?? "")
    case .invalid(let reason): finish(.invalidOutput(reason))
    }
  }

  private func finish(_ reason: WebError) {
    let (handlers, listeners, onEnd, failure) = lock.withLock {
      defer { (self.handlers, self.listeners) = ([:], [:]) }
      let failure = self.failure ?? reason
      self.failure = failure
      return (self.handlers, self.listeners, self.onEnd.take(), failure)
    }
    cancelSources()
    onEnd?(failure)
    for handler in handlers.values { handler(.failure(failure)) }
    for listener in listeners.values { listener.onEnd(failure) }
  }

  private func cancelSources() {
    reader?.cancel()
    reader = nil
    writer?.cancel()
    // The cancel handler of a suspended source does not run.
    if !isWriterRunning { writer?.resume() }
    isWriterRunning = true
    writer = nil
  }
}

/// The first failure fails all of them.
///
/// `@unchecked Sendable`: `lock` guards the replies.
private final class Batch: @unchecked Sendable {
  let waiter = Waiter<[JSONValue]>()
  private let lock = NSLock()
  private var replies: [JSONValue?]
  private var missing: Int
  private let onLate: (@Sendable (JSONValue) -> Void)?

  init(count: Int, onLate: (@Sendable (JSONValue) -> Void)?) {
    replies = Array(repeating: nil, count: count)
    missing = count
    self.onLate = onLate
  }

  func complete(_ index: Int, _ result: Result<JSONValue, any Error>) {
    switch result {
    case .failure(let error): waiter.resume(with: .failure(error))
    case .success(let reply):
      let all: [JSONValue]? = lock.withLock {
        replies[index] = reply
        missing -= 1
        return missing == 0 ? replies.compactMap(\.self) : nil
      }
      if let all, !waiter.resume(with: .success(all)) { for reply in all { onLate?(reply) } }
    }
  }
}
