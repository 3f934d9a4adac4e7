/// A method, a path pattern, and the function that handles matching requests.
///
/// ```swift
/// Route(.get, "/birds") { _ in .json(birds) }
/// Route(.get, "/birds/:name") { request in .text(request.parameters["name"] ?? "") }
/// Route(.get, "/pictures/*file") { request in await picture(request.parameters["file"]) }
/// Route(.get, "/broken") { _ in HTTPReply.reset }
/// ```
///
/// In a pattern, `:name` matches one segment that is not empty, and `*name` at the end matches one or more segments, joined by
/// slashes. All other characters match themselves, including a slash at the end.
///
/// A **synchronous** function runs on the server's only thread. It must not block, because other requests wait for it. An
/// **asynchronous** function runs in a task, which is cancelled when the client disconnects, after
/// ``LoopbackLimits/handlerTimeout``, or when the server's grace period ends. Each is called exactly once for each request. If it
/// throws an error, the response is 500 with the error's description.
public struct Route: Sendable {
  enum Handler: Sendable {
    case immediate(@Sendable (HTTPRequest) -> HTTPReply)
    case asynchronous(@Sendable (HTTPRequest) async -> HTTPReply)
  }

  /// `GET` includes `HEAD`.
  public let method: HTTPMethod
  public let pattern: String

  let handler: Handler

  public init(
    _ method: HTTPMethod, _ pattern: String, handler: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse
  ) {
    self.init(method, pattern) { request in HTTPReply.response(try handler(request)) }
  }

  public init(
    _ method: HTTPMethod, _ pattern: String, handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) {
    self.init(method, pattern) { request async throws in HTTPReply.response(try await handler(request)) }
  }

  public init(
    _ method: HTTPMethod, _ pattern: String, handler: @escaping @Sendable (HTTPRequest) throws -> HTTPReply
  ) {
    self.init(
      method, pattern,
      .immediate { request in
        do { return try handler(request) } catch { return Self.failure(error, of: request) }
      })
  }

  public init(
    _ method: HTTPMethod, _ pattern: String, handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPReply
  ) {
    self.init(
      method, pattern,
      .asynchronous { request in
        do { return try await handler(request) } catch { return Self.failure(error, of: request) }
      })
  }

  private init(_ method: HTTPMethod, _ pattern: String, _ handler: Handler) {
    self.method = method
    self.pattern = pattern
    self.handler = handler
  }

  private static func failure(_ error: any Error, of request: HTTPRequest) -> HTTPReply {
    .response(.text("Cannot \(request.method) '\(request.path)': \(error)\n", status: .internalServerError))
  }

  func mapReplies(_ transform: @escaping @Sendable (HTTPRequest, HTTPReply) -> HTTPReply) -> Route {
    switch handler {
    case .immediate(let handle): Route(method, pattern, .immediate { transform($0, handle($0)) })
    case .asynchronous(let handle): Route(method, pattern, .asynchronous { transform($0, await handle($0)) })
    }
  }

  func match(_ path: String) -> [String: String]? {
    let (words, pattern) = (Self.split(path), Self.split(pattern))
    var parameters: [String: String] = [:]
    for (index, segment) in pattern.enumerated() {
      guard index < words.count else { return nil }
      let name = String(segment.dropFirst())
      switch segment.first {
      case ":" where !name.isEmpty:
        guard !words[index].isEmpty else { return nil }
        parameters[name] = String(words[index])
      case "*" where !name.isEmpty && index == pattern.count - 1:
        // An empty segment at the front would make the rest look like an absolute path.
        guard !words[index...].contains("") else { return nil }
        parameters[name] = words[index...].joined(separator: "/")
        return parameters
      default:
        guard words[index] == segment else { return nil }
      }
    }
    return words.count == pattern.count ? parameters : nil
  }

  private static func split(_ path: String) -> [Substring] {
    let relative = path.hasPrefix("/") ? path.dropFirst() : path[...]
    return relative.split(separator: "/", omittingEmptySubsequences: false)
  }
}
