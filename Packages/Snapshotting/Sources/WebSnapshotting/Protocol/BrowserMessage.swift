internal import Foundation

struct Command: Sendable, Hashable {
  let method: String
  let parameters: JSONValue

  init(_ method: String, _ parameters: JSONValue = [:]) {
    self.method = method
    self.parameters = parameters
  }
}

struct BrowserEvent: Sendable, Hashable {
  let method: String
  let parameters: JSONValue
  /// The session of the tab or worker; `nil` for the browser itself.
  let session: String?
}

struct RefusedCommand: Error, Hashable, CustomStringConvertible {
  let method: String
  let code: Int
  let message: String

  var description: String {
    "Cannot run the browser command \(method): \(message) (\(code)). Use a recent version of Chromium, Chrome or Edge."
  }
}

enum BrowserMessage: Sendable, Hashable {
  case reply(id: Int, Result<JSONValue, RefusedCommand>)
  case event(BrowserEvent)
  /// Invalid output. Nothing after it can be understood.
  case invalid(String)
}

/// Each message is JSON, followed by a zero byte.
///
/// Replies have the number of their command.
struct MessageCoder {
  private let messageLimit: Int
  private var lastID = 0
  private var methods: [Int: String] = [:]
  private var buffer: [UInt8] = []
  /// The length of the part of the buffer that has no zero byte.
  private var searched = 0
  private var hasFailed = false

  init(messageLimit: Int = 256 << 20) {
    self.messageLimit = messageLimit
  }

  var openCommands: Set<Int> { Set(methods.keys) }

  mutating func encode(_ command: Command, session: String?) -> (id: Int, bytes: [UInt8]) {
    lastID += 1
    methods[lastID] = command.method
    var message: [String: JSONValue] = [
      "id": .number(Double(lastID)), "method": .string(command.method), "params": command.parameters,
    ]
    if let session { message["sessionId"] = .string(session) }
    return (lastID, Array(JSONValue.object(message).data) + [0])
  }

  mutating func decode(_ bytes: some Sequence<UInt8>) -> [BrowserMessage] {
    guard !hasFailed else { return [] }
    buffer += bytes
    var messages: [BrowserMessage] = []
    var start = 0
    while !hasFailed, let end = buffer[searched...].firstIndex(of: 0) {
      if let message = message(buffer[start..<end]) { messages.append(message) }
      start = end + 1
      searched = start
    }
    buffer.removeFirst(hasFailed ? buffer.count : start)
    searched = buffer.count
    if !hasFailed, buffer.count > messageLimit { messages.append(fail("a message of more than \(messageLimit) bytes")) }
    return messages
  }

  private mutating func message(_ bytes: ArraySlice<UInt8>) -> BrowserMessage? {
    guard let value = try? JSONValue(parsing: bytes) else { return fail("not JSON: \(excerpt(bytes))") }
    guard let id = value["id"] else {
      guard let method = value["method"]?.string else { return fail("neither a reply nor an event: \(excerpt(bytes))") }
      return .event(
        BrowserEvent(method: method, parameters: value["params"] ?? [:], session: value["sessionId"]?.string))
    }
    guard let id = id.integer, 1...max(1, lastID) ~= id, lastID > 0 else {
      return fail("a reply to an unknown command: \(excerpt(bytes))")
    }
    // A second reply to a command is ignored.
    guard let method = methods.removeValue(forKey: id) else { return nil }
    if let error = value["error"] {
      let message = error["message"]?.string ?? "no reason given"
      return .reply(
        id: id, .failure(RefusedCommand(method: method, code: error["code"]?.integer ?? 0, message: message)))
    }
    return value["result"].map { .reply(id: id, .success($0)) }
      ?? fail("a reply to \(method) with neither a result nor an error")
  }

  private mutating func fail(_ reason: String) -> BrowserMessage {
    (hasFailed, buffer, searched) = (true, [], 0)
    return .invalid(reason)
  }

  private func excerpt(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix(120), as: UTF8.self) + (bytes.count > 120 ? "…" : "")
  }
}
