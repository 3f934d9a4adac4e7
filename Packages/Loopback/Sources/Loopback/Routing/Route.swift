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
/// A **synchronous** function runs on the server's only thread. It must not block, because no other request is handled meanwhile. An
/// **asynchronous** function runs in its own task, which is cancelled when the client disconnects, after
/// ``LoopbackLimits/handlerTimeout``, or when the server's grace period ends. Each is called exactly once for each request. If it
/// throws an error, the response is 500 with the error's description.
public struct Route: Sendable {
  enum Handler: Sendable {
    case immediate(@Sendable (HTTPRequest) throws -> HTTPReply)
    case asynchronous(@Sendable (HTTPRequest) async throws -> HTTPReply)
  }

  /// The method of the route.
  ///
  /// `GET` includes `HEAD`.
  public let method: HTTPMethod
  /// The pattern.
  public let pattern: String

  let path: RoutePattern
  let handler: Handler

  /// Creates a route with a synchronous function.
  public init(
    _ method: HTTPMethod, _ pattern: String, handler: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse
  ) {
    self.init(method, pattern, .immediate { .response(try handler($0)) })
  }

  /// Creates a route with an asynchronous function.
  public init(
    _ method: HTTPMethod, _ pattern: String, handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) {
    self.init(method, pattern, .asynchronous { .response(try await handler($0)) })
  }

  /// Creates a route with a synchronous function that can return a fault.
  public init(
    _ method: HTTPMethod, _ pattern: String, handler: @escaping @Sendable (HTTPRequest) throws -> HTTPReply
  ) {
    self.init(method, pattern, .immediate(handler))
  }

  /// Creates a route with an asynchronous function that can return a fault.
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
