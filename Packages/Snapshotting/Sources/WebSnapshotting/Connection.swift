internal import Dispatch
internal import Foundation
internal import Parallel

/// A command to the browser, or an event from it.
struct Command: Sendable, Hashable {
  let method: String
  let parameters: JSONValue

  init(_ method: String, _ parameters: JSONValue = [:]) {
    self.method = method
    self.parameters = parameters
  }
}

/// The pipe to a browser: commands, their replies, and events.
///
/// Each message is JSON, followed by a zero byte. Replies have the number of their command.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class Connection: @unchecked Sendable {
  typealias Reply = Result<JSONValue, any Error>

  private let socket: Int32
  private let writing = DispatchQueue(label: "WebSnapshotting.Connection")
  private let lock = NSLock()
  private var lastID = 0
  private var pending: [Int: (command: Command, session: String?, reply: @Sendable (Reply) -> Void)] = [:]
  private var listeners: [String: @Sendable (Command) -> Void] = [:]
  private var isClosed = false

  /// Reads the browser's messages on a thread, until the browser closes its end or ``close()`` is called.
  ///
  /// - Parameter whenEnded: Called once at the end, before the waiting calls fail.
  init(socket: Int32, whenEnded: @escaping @Sendable () -> Void) {
    self.socket = socket
    let thread = Thread { [self] in
      read()
      shutdown(socket, Int32(SHUT_RDWR))
      whenEnded()
      writing.sync { _ = Foundation.close(socket) }
      end()
    }
    thread.name = "WebSnapshotting.Connection"
    thread.start()
  }

  /// Whether the connection has ended.
  var hasEnded: Bool { lock.withLock { isClosed } }

  /// Ends the connection; the calls that wait fail.
  func close() {
    lock.withLock {
      guard !isClosed else { return }
      isClosed = true
      shutdown(socket, Int32(SHUT_RDWR))
    }
  }

  /// Sends commands at once, which the browser runs in order, and waits for all replies.
  ///
  /// - Parameter session: The session of the tab; `nil` for the browser itself.
  /// - Throws: `RefusedCommand` if the browser refuses a command; ``WebError`` if the browser ends; `CancellationError`.
  @discardableResult
  func send(_ commands: [Command], session: String? = nil) async throws -> [JSONValue] {
    let replies = commands.map { command in
      Parallel<Reply> { callback in self.post(command, session: session) { callback($0) } }
    }
    return try await replies.sequence().value().map { try $0.get() }
  }

  @discardableResult
  func send(_ method: String, _ parameters: JSONValue = [:], session: String? = nil) async throws -> JSONValue {
    try await send([Command(method, parameters)], session: session)[0]
  }

  /// Sends a command, and calls back with its reply on the thread of the connection.
  ///
  /// It fails at once in a session without a receiver.
  func post(_ command: Command, session: String? = nil, _ reply: @escaping @Sendable (Reply) -> Void = { _ in }) {
    lock.lock()
    // The browser does not always answer a command to a session that has ended.
    let isEnded = session.map { listeners[$0] == nil } ?? false
    if isClosed || isEnded {
      lock.unlock()
      return reply(.failure(isClosed ? WebError.browserEnded : .cancelled))
    }
    lastID += 1
    pending[lastID] = (command, session, reply)
    var message: [String: JSONValue] = [
      "id": .number(Double(lastID)), "method": .string(command.method), "params": command.parameters,
    ]
    message["sessionId"] = session.map { .string($0) }
    let bytes = JSONValue.object(message).data + [0]
    // Inside of the lock, so that messages keep the order of their numbers.
    writing.async { self.write(bytes) }
    lock.unlock()
  }

  /// Registers the receiver of a session's events, in order.
  func listen(to session: String, _ receive: @escaping @Sendable (Command) -> Void) {
    lock.withLock { listeners[session] = receive }
  }

  /// Removes the receiver of a session, and fails the calls that wait for its replies, and later ones.
  func ignore(_ session: String, because error: WebError) {
    let failed = lock.withLock {
      listeners[session] = nil
      let failed = pending.filter { $0.value.session == session }
      for id in failed.keys { pending[id] = nil }
      return failed
    }
    for (_, _, reply) in failed.values { reply(.failure(error)) }
  }

  private func write(_ bytes: Data) {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Foundation.send(socket, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, Self.flags)
        if count < 0, errno == EINTR { continue }
        // The reading thread reports the end.
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// A write to a closed socket raises no signal.
  #if canImport(Darwin)
    private static let flags: Int32 = 0
  #else
    private static let flags = Int32(MSG_NOSIGNAL)
  #endif

  /// Reads messages until the end.
  private func read() {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var message: [UInt8] = []
    while true {
      let count = Foundation.read(socket, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      var rest = chunk[..<count]
      while let end = rest.firstIndex(of: 0) {
        message += rest[..<end]
        receive(message)
        message.removeAll(keepingCapacity: message.count < 1 << 20)
        rest = rest[(end + 1)...]
      }
      message += rest
    }
  }

  private func receive(_ bytes: [UInt8]) {
    guard let value = try? JSONValue(parsing: bytes) else { return }
    if let id = value["id"]?.integer {
      guard let (command, _, reply) = lock.withLock({ pending.removeValue(forKey: id) }) else { return }
      guard let error = value["error"] else { return reply(.success(value["result"] ?? [:])) }
      let (code, message) = (error["code"]?.integer ?? 0, error["message"]?.string ?? "no reason given")
      reply(.failure(RefusedCommand(command: command, code: code, message: message)))
    } else if let method = value["method"]?.string {
      let parameters = value["params"] ?? [:]
      // The browser reports the end of a page's session outside of that session.
      let session = value["sessionId"] ?? (method == "Target.detachedFromTarget" ? parameters["sessionId"] : nil)
      lock.withLock { listeners[session?.string ?? ""] }?(Command(method, parameters))
    }
  }

  private func end() {
    let (replies, listeners) = lock.withLock {
      defer { (pending, self.listeners) = ([:], [:]) }
      isClosed = true
      return (pending.values, self.listeners.values)
    }
    for (_, _, reply) in replies { reply(.failure(WebError.browserEnded)) }
    for receive in listeners { receive(Command(Self.ended)) }
  }

  /// The name of the event that every listener receives at the end of the connection.
  static let ended = "WebSnapshotting.ended"
}

enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The member of an object; `nil` if the member is missing or the value is not an object.
  subscript(_ name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  var string: String? { if case .string(let text) = self { text } else { nil } }
  var number: Double? { if case .number(let number) = self { number } else { nil } }
  var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

  /// The number if it is an integer within the range of `Int`.
  var integer: Int? { number.flatMap { Int(exactly: $0) } }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral text: String) { self = .string(text) }
  init(integerLiteral number: Int) { self = .number(Double(number)) }
  init(booleanLiteral bool: Bool) { self = .bool(bool) }
  init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(Dictionary(members) { _, last in last })
  }
}

extension JSONValue {
  init(parsing bytes: [UInt8]) throws {
    do {
      self.init(try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
    } catch {
      // JavaScript strings may contain half of a character, such as a cut emoji, which Foundation rejects.
      // A pair of escapes, which has 12 bytes, is a whole character.
      let surrogates = /\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u[dD][89a-fA-F]../
      let text = String(decoding: bytes, as: UTF8.self).replacing(surrogates) { $0.count == 12 ? $0.output : "\\ufffd" }
      self.init(try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed))
    }
  }

  private init(_ object: Any) {
    switch object {
    case let text as String: self = .string(text)
    case let elements as [Any]: self = .array(elements.map { JSONValue($0) })
    case let members as [String: Any]: self = .object(members.mapValues { JSONValue($0) })
    case let number as NSNumber:
      self = String(cString: number.objCType) == "c" ? .bool(number.boolValue) : .number(number.doubleValue)
    default: self = .null
    }
  }

  var text: String { String(decoding: data, as: UTF8.self) }

  /// Numbers that JSON does not have are `null`.
  var data: Data {
    let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
    return (try? JSONSerialization.data(withJSONObject: object, options: options)) ?? Data()
  }

  private var object: Any {
    switch self {
    case .null: NSNull()
    case .bool(let bool): bool
    case .number(let number): number.isFinite ? integer.map { $0 as Any } ?? number : NSNull()
    case .string(let text): text
    case .array(let elements): elements.map(\.object)
    case .object(let members): members.mapValues(\.object)
    }
  }
}
