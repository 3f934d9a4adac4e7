/// One method, one path pattern, and the function that answers.
///
/// ```swift
/// Route(.get, "/birds") { _ in .json(birds) }
/// Route(.get, "/birds/:name") { request in .text(request.parameters["name"] ?? "") }
/// Route(.get, "/pictures/*file") { request in await picture(request.parameters["file"]) }
/// Route(.get, "/broken") { _ in HTTPReply.reset }
/// ```
///
/// In a pattern `:name` stands for one segment that is not empty, and `*name` at the end for one or more, joined by
/// slashes. Everything else stands for itself; a slash at the end counts.
///
/// A **synchronous** function runs on the server's one thread: it must not block, and no other request is served while
/// it runs. An **asynchronous** one runs as a task of its own, which is cancelled when the client goes away, when
/// ``LoopbackLimits/handlerTimeout`` is over, or when the server's grace period ends. Either is called exactly once a request.
/// An error that it throws is answered with 500 and the error's description.
public struct Route: Sendable {
  enum Handler: Sendable {
    case immediate(@Sendable (HTTPRequest) throws -> HTTPReply)
    case asynchronous(@Sendable (HTTPRequest) async throws -> HTTPReply)
  }

  /// The method that this route answers; `HEAD` comes with `GET`.
  public let method: HTTPMethod
  /// The pattern as written.
  public let pattern: String

  let path: RoutePattern
  let handler: Handler

  /// Makes a route whose function answers at once.
  public init(
    _ method: HTTPMethod, _ pattern: String, handler: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse
  ) {
    self.init(method, pattern, .immediate { .response(try handler($0)) })
  }

  /// Makes a route whose function answers in its own time.
  public init(
    _ method: HTTPMethod, _ pattern: String, handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) {
    self.init(method, pattern, .asynchronous { .response(try await handler($0)) })
  }

  /// Makes a route whose function answers at once, and may choose a fault.
  public init(
    _ method: HTTPMethod, _ pattern: String, handler: @escaping @Sendable (HTTPRequest) throws -> HTTPReply
  ) {
    self.init(method, pattern, .immediate(handler))
  }

  /// Makes a route whose function answers in its own time, and may choose a fault.
  public init(
    _ method: HTTPMethod, _ pattern: String, handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPReply
  ) {
    self.init(method, pattern, .asynchronous(handler))
  }

  init(_ method: HTTPMethod, _ pattern: String, _ handler: Handler) {
    self.method = method
    self.pattern = pattern
    self.path = RoutePattern(pattern)
    self.handler = handler
  }
}
