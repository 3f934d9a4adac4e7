/// A table of routes as a value: which function answers a request.
///
/// ```swift
/// let router = Router {
///   Route(.get, "/birds") { _ in .json(birds) }
///   Route(.put, "/orders/:id") { request in try await store.put(request) }
/// }
/// let server = try await HTTPServer.start(router)
/// ```
///
/// The first route, in order, whose method and pattern fit answers. `HEAD` goes to the route for `GET` unless it has
/// its own, and the server leaves the body out. A path that no pattern fits is 404; one that fits only for other
/// methods is 405, with `Allow`.
public struct Router: Sendable {
  /// The routes, in the order they are tried.
  public let routes: [Route]

  /// Makes a table of routes.
  public init(_ routes: [Route]) { self.routes = routes }

  /// Makes a table from routes written one below the other; `if`, `for` and other routers may stand among them.
  public init(@RouterBuilder _ routes: () -> [Route]) { self.routes = routes() }

  /// Answers a request without any socket, as the server would.
  ///
  /// This is how to test routes. The request's ``HTTPRequest/parameters`` are filled in on the way.
  public func reply(to request: HTTPRequest) async -> HTTPReply {
    switch resolve(request) {
    case .reply(let reply): reply
    case .task(let work): await work()
    }
  }

  /// A router that looks at each request and its reply, and may put another in its place.
  ///
  /// It is how to inject faults into a server that knows nothing of them. The function runs where the handler ran,
  /// once a request, also for 404 and 405.
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
  /// A reply that is there already, or the work that will make it.
  enum Resolution: Sendable {
    case reply(HTTPReply)
    case task(@Sendable () async -> HTTPReply)
  }

  /// Finds the route and calls its function, if that can be done without waiting.
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

  /// The routes with the transformations built in, for a router that takes them over.
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
