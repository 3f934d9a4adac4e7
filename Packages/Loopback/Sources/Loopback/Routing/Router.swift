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
  /// The routes, in their order.
  public let routes: [Route]

  /// Creates a table of routes.
  public init(_ routes: [Route]) { self.routes = routes }

  /// Creates a table from a list of routes, which can contain `if`, `for` and other routers.
  public init(@RouterBuilder _ routes: () -> [Route]) { self.routes = routes() }

  /// Returns the reply to a request, without a socket, for tests of routes.
  ///
  /// It sets the request's ``HTTPRequest/parameters``.
  public func reply(to request: HTTPRequest) async -> HTTPReply {
    switch resolve(request) {
    case .reply(let reply): reply
    case .task(let work): await work()
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
    Router(routes, transforms: transforms + [transform])
  }

  private init(_ routes: [Route], transforms: [@Sendable (HTTPRequest, HTTPReply) -> HTTPReply]) {
    self.routes = routes
    self.transforms = transforms
  }

  private var transforms: [@Sendable (HTTPRequest, HTTPReply) -> HTTPReply] = []
}

extension Router {
  /// A reply, or the asynchronous work that creates it.
  enum Resolution: Sendable {
    case reply(HTTPReply)
    case task(@Sendable () async -> HTTPReply)
  }

  /// Finds the route, and calls its function if that is synchronous.
  func resolve(_ request: HTTPRequest) -> Resolution {
    guard let (route, request) = route(for: request) else {
      return .reply(transform(refusal(of: request), of: request))
    }
    switch route.handler {
    case .immediate(let handle):
      do { return .reply(transform(try handle(request), of: request)) } catch {
        return .reply(transform(failure(error, of: request), of: request))
      }
    case .asynchronous(let handle):
      return .task {
        do { return transform(try await handle(request), of: request) } catch {
          return transform(failure(error, of: request), of: request)
        }
      }
    }
  }

  /// The routes with their transformations, for another router.
  var transformedRoutes: [Route] {
    guard !transforms.isEmpty else { return routes }
    return routes.map { route in
      switch route.handler {
      case .immediate(let handle):
        Route(route.method, route.pattern, .immediate { transform(try handle($0), of: $0) })
      case .asynchronous(let handle):
        Route(route.method, route.pattern, .asynchronous { transform(try await handle($0), of: $0) })
      }
    }
  }

  private func transform(_ reply: HTTPReply, of request: HTTPRequest) -> HTTPReply {
    transforms.reduce(reply) { $1(request, $0) }
  }

  private func route(for request: HTTPRequest) -> (Route, HTTPRequest)? {
    let methods: [HTTPMethod] = request.method == .head ? [.head, .get] : [request.method]
    for method in methods {
      for route in routes where route.method == method {
        guard let parameters = route.path.match(request.path) else { continue }
        var request = request
        request.parameters = parameters
        return (route, request)
      }
    }
    return nil
  }

  private func refusal(of request: HTTPRequest) -> HTTPReply {
    var methods = Set(routes.lazy.filter { $0.path.match(request.path) != nil }.map(\.method))
    guard !methods.isEmpty else {
      return .response(.text("Cannot find '\(request.path)': no route has this path.\n", status: .notFound))
    }
    if methods.contains(.get) { methods.insert(.head) }
    let allowed = methods.map(\.rawValue).sorted().joined(separator: ", ")
    var response = HTTPResponse.text(
      "Cannot \(request.method) '\(request.path)': it allows only \(allowed).\n", status: .methodNotAllowed)
    response.headers["Allow"] = allowed
    return .response(response)
  }

  private func failure(_ error: any Error, of request: HTTPRequest) -> HTTPReply {
    .response(.text("Cannot \(request.method) '\(request.path)': \(error)\n", status: .internalServerError))
  }
}
