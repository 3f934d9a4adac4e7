/// A table of routes, which selects the function for a request.
///
/// ```swift
/// let router = Router {
///   Route(.get, "/birds") { _ in .json(birds) }
///   Route(.put, "/orders/:id") { request in try await store.put(request) }
/// }
/// let server = try await HTTPServer.start(router)
/// ```
///
/// The first route with a matching method and pattern handles the request. `HEAD` uses the route for `GET` unless it has its own, and
/// the server omits the body. A path that matches no pattern gets 404. A path that matches only for other methods gets 405, with
/// `Allow`.
public struct Router: Sendable {
  let routes: [Route]
  private let mapRefusal: @Sendable (HTTPRequest, HTTPReply) -> HTTPReply

  /// The list of routes can contain loops and other routers.
  public init(@RouterBuilder _ routes: () -> [Route]) { self.init(routes()) { $1 } }

  private init(_ routes: [Route], mapRefusal: @escaping @Sendable (HTTPRequest, HTTPReply) -> HTTPReply) {
    self.routes = routes
    self.mapRefusal = mapRefusal
  }

  /// Returns the reply to a request, without a socket, for tests of routes.
  ///
  /// It sets the request's ``HTTPRequest/parameters``.
  public func reply(to request: HTTPRequest) async -> HTTPReply {
    let methods: [HTTPMethod] = request.method == .head ? [.head, .get] : [request.method]
    for method in methods {
      for route in routes where route.method == method {
        guard let parameters = route.match(request.path) else { continue }
        var request = request
        request.parameters = parameters
        return await route.handler(request)
      }
    }
    return mapRefusal(request, .response(refusal(of: request)))
  }

  /// Returns a router that can replace the reply to each request, also to one without a route, for example by a fault.
  ///
  /// ```swift
  /// let flaky = router.mapReplies { request, reply in
  ///   faults.next() ? .disconnected : .delayed(by: .milliseconds(20), reply)
  /// }
  /// ```
  public func mapReplies(_ transform: @escaping @Sendable (HTTPRequest, HTTPReply) -> HTTPReply) -> Router {
    let routes = routes.map { route in
      Route(route.method, route.pattern) { transform($0, await route.handler($0)) }
    }
    return Router(routes) { [mapRefusal] in transform($0, mapRefusal($0, $1)) }
  }

  private func refusal(of request: HTTPRequest) -> HTTPResponse {
    var methods = Set(routes.filter { $0.match(request.path) != nil }.map(\.method))
    guard !methods.isEmpty else {
      return .text("Cannot find '\(request.path)': no route has this path. Check the path.\n", status: .notFound)
    }
    if methods.contains(.get) { methods.insert(.head) }
    let allowed = methods.map(\.rawValue).sorted().joined(separator: ", ")
    var response = HTTPResponse.text(
      "Cannot \(request.method) '\(request.path)': it allows only \(allowed). Use an allowed method.\n",
      status: .methodNotAllowed)
    response.headers["Allow"] = allowed
    return response
  }
}

@resultBuilder public enum RouterBuilder {
  public static func buildExpression(_ route: Route) -> [Route] { [route] }
  public static func buildExpression(_ router: Router) -> [Route] { router.routes }
  public static func buildBlock(_ parts: [Route]...) -> [Route] { parts.flatMap { $0 } }
  public static func buildArray(_ parts: [[Route]]) -> [Route] { parts.flatMap { $0 } }
}

/// A method, a path pattern, and the function that handles matching requests.
///
/// ```swift
/// Route(.get, "/birds") { _ in .json(birds) }
/// Route(.get, "/birds/:name") { request in .text(request.parameters["name"] ?? "") }
/// Route(.get, "/pictures/*file") { request in await picture(request.parameters["file"]) }
/// Route(.get, "/broken") { _ in HTTPReply.reset }
/// ```
///
/// In a pattern, `:name` matches one segment that is not empty, and `*name` at the end matches one or more segments, joined by slashes. All
/// other bytes match themselves, also a slash at the end.
///
/// The function runs in a task, once for each request. The task is cancelled when the client disconnects, or when the server's grace
/// period ends. If the function throws an error, the response is 500 with the error's description.
public struct Route: Sendable {
  /// `GET` includes `HEAD`.
  public let method: HTTPMethod
  public let pattern: String

  let handler: @Sendable (HTTPRequest) async -> HTTPReply

  public init(
    _ method: HTTPMethod, _ pattern: String, handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) {
    self.init(method, pattern) { HTTPReply.response(try await handler($0)) }
  }

  public init(
    _ method: HTTPMethod, _ pattern: String, handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPReply
  ) {
    self.method = method
    self.pattern = pattern
    self.handler = { request in
      do { return try await handler(request) } catch {
        return .response(.text("Cannot \(method) '\(request.path)': \(error)\n", status: .internalServerError))
      }
    }
  }

  func match(_ path: String) -> [String: String]? {
    let (words, pattern) = (Self.split(path), Self.split(pattern))
    var parameters: [String: String] = [:]
    for (index, segment) in pattern.enumerated() {
      guard index < words.count else { return nil }
      let name = String(decoding: segment.dropFirst(), as: UTF8.self)
      switch segment.first {
      case UInt8(ascii: ":") where !name.isEmpty:
        guard !words[index].isEmpty else { return nil }
        parameters[name] = String(decoding: words[index], as: UTF8.self)
      case UInt8(ascii: "*") where !name.isEmpty && index == pattern.count - 1:
        // An empty segment at the front would make the rest look like an absolute path.
        guard !words[index].isEmpty else { return nil }
        parameters[name] = words[index...].map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
        return parameters
      default:
        guard words[index].elementsEqual(segment) else { return nil }
      }
    }
    return words.count == pattern.count ? parameters : nil
  }

  /// Splits at the byte of a slash, because a slash with a combining mark is another `Character`.
  private static func split(_ path: String) -> [Substring.UTF8View] {
    let slash = UInt8(ascii: "/")
    return path.utf8.dropFirst(path.utf8.first == slash ? 1 : 0).split(
      separator: slash, omittingEmptySubsequences: false)
  }
}
