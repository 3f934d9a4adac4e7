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

  /// Creates a table from a list of routes, which can contain loops and other routers.
  public init(@RouterBuilder _ routes: () -> [Route]) { self.init(routes()) { $1 } }

  private init(_ routes: [Route], mapRefusal: @escaping @Sendable (HTTPRequest, HTTPReply) -> HTTPReply) {
    self.routes = routes
    self.mapRefusal = mapRefusal
  }

  /// Returns the reply to a request, without a socket, for tests of routes.
  ///
  /// It sets the request's ``HTTPRequest/parameters``.
  public func reply(to request: HTTPRequest) async -> HTTPReply {
    let (request, handler) = resolve(request)
    return switch handler {
    case .immediate(let reply): reply(request)
    case .asynchronous(let reply): await reply(request)
    }
  }

  /// Returns a router that can replace the reply to each request, for example by a fault.
  ///
  /// The function is called once for each request on the thread of the handler, also for 404 and 405.
  ///
  /// ```swift
  /// let flaky = router.mapReplies { request, reply in
  ///   faults.next() ? .disconnected : .delayed(by: .milliseconds(20), reply)
  /// }
  /// ```
  public func mapReplies(_ transform: @escaping @Sendable (HTTPRequest, HTTPReply) -> HTTPReply) -> Router {
    Router(routes.map { $0.mapReplies(transform) }) { [mapRefusal] in transform($0, mapRefusal($0, $1)) }
  }
}

extension Router {
  func resolve(_ request: HTTPRequest) -> (HTTPRequest, Route.Handler) {
    let methods: [HTTPMethod] = request.method == .head ? [.head, .get] : [request.method]
    for method in methods {
      for route in routes where route.method == method {
        guard let parameters = route.match(request.path) else { continue }
        var request = request
        request.parameters = parameters
        return (request, route.handler)
      }
    }
    return (request, .immediate { mapRefusal($0, .response(refusal(of: $0))) })
  }

  private func refusal(of request: HTTPRequest) -> HTTPResponse {
    var methods = Set(routes.lazy.filter { $0.match(request.path) != nil }.map(\.method))
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
