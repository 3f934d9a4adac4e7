/// What the browser tells without being asked.
struct BrowserEvent: Sendable, Hashable {
  let method: String
  let parameters: JSONValue
  /// The session that it is about; `nil` for the browser itself.
  let session: String?
}

/// A refusal of the browser to do what it was asked.
struct RefusedCommand: Error, Hashable, CustomStringConvertible {
  let method: String
  let code: Int
  let message: String

  var description: String { "Cannot run the browser command \(method): \(message) (\(code))." }
}

/// What comes out of the pipe.
enum BrowserMessage: Sendable, Hashable {
  case reply(id: Int, Result<JSONValue, RefusedCommand>)
  case event(BrowserEvent)
  /// Something that no browser sends; nothing that comes after it means anything.
  case nonsense(String)
}
