/// Both sides of a pipe to a browser as a value: which commands are open, and what the bytes mean that come back.
///
/// Messages are JSON, each ended by a byte of zero. Replies are matched with commands by their numbers; the reply to a
/// command that was given up is dropped. After the first nonsense nothing is understood any more.
struct PipeConversation {
  /// The most bytes of one message.
  static let messageLimit = 256 << 20

  private let messageLimit: Int
  private var lastID = 0
  private var methods: [Int: String] = [:]
  private var buffer: [UInt8] = []
  /// How much of the buffer has been searched for the end of a message.
  private var searched = 0
  private var isOver = false

  init(messageLimit: Int = Self.messageLimit) {
    self.messageLimit = messageLimit
  }

  /// The numbers of the commands that wait for a reply.
  var openCommands: Set<Int> { Set(methods.keys) }

  /// Opens a command.
  ///
  /// - Returns: Its number, and the bytes to write.
  mutating func command(_ method: String, _ parameters: JSONValue, session: String?) -> (id: Int, bytes: [UInt8]) {
    lastID += 1
    methods[lastID] = method
    var message: [String: JSONValue] = [
      "id": .number(Double(lastID)), "method": .string(method), "params": parameters,
    ]
    if let session { message["sessionId"] = .string(session) }
    return (lastID, JSONValue.object(message).bytes + [0])
  }

  /// Forgets a command: its reply will be dropped.
  mutating func giveUp(_ id: Int) {
    methods[id] = nil
  }

  /// Takes bytes as they come, and says what they mean.
  mutating func receive(_ bytes: some Sequence<UInt8>) -> [BrowserMessage] {
    guard !isOver else { return [] }
    buffer += bytes
    var messages: [BrowserMessage] = []
    var start = 0
    while !isOver, let end = buffer[searched...].firstIndex(of: 0) {
      if let message = message(in: buffer[start..<end]) { messages.append(message) }
      start = end + 1
      searched = start
    }
    buffer.removeFirst(isOver ? buffer.count : start)
    searched = buffer.count
    if !isOver, buffer.count > messageLimit {
      messages.append(nonsense("a message of more than \(messageLimit) bytes"))
    }
    return messages
  }

  private mutating func message(in bytes: ArraySlice<UInt8>) -> BrowserMessage? {
    do throws(JSONParser.Failure) {
      return message(from: try JSONParser.parse(bytes))
    } catch {
      return nonsense("\(error) in \(excerpt(bytes))")
    }
  }

  private mutating func message(from value: JSONValue) -> BrowserMessage? {
    if let id = value["id"] {
      guard let id = id.integer, (1...max(1, lastID)).contains(id), lastID > 0 else {
        return nonsense("a reply to an unknown command: \(excerpt(value.bytes[...]))")
      }
      guard let method = methods.removeValue(forKey: id) else { return nil }
      if let error = value["error"] {
        let message = error["message"]?.string ?? "no reason given"
        return .reply(
          id: id, .failure(RefusedCommand(method: method, code: error["code"]?.integer ?? 0, message: message)))
      }
      guard let result = value["result"] else {
        return nonsense("a reply to \(method) with neither a result nor an error")
      }
      return .reply(id: id, .success(result))
    }
    guard let method = value["method"]?.string else {
      return nonsense("neither a reply nor an event: \(excerpt(value.bytes[...]))")
    }
    return .event(
      BrowserEvent(method: method, parameters: value["params"] ?? .object([:]), session: value["sessionId"]?.string))
  }

  private mutating func nonsense(_ what: String) -> BrowserMessage {
    isOver = true
    buffer = []
    searched = 0
    return .nonsense(what)
  }

  private func excerpt(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix(120), as: UTF8.self) + (bytes.count > 120 ? "…" : "")
  }
}
