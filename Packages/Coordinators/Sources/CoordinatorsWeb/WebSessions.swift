public import Coordinators

/// Serves an app to many browsers: a ``WebApp`` for each, which a cookie identifies.
///
/// ```swift
/// let sessions = WebSessions { WebApp(name: "Words", start: WordsCoordinator.init, page: page) }
/// // In a server, for every request:
/// let response = await sessions.respond(
///   to: WebRequest("GET", "/words/fiets", cookie: "session=…"))
/// ```
///
/// A session begins with the first GET or POST request without a known cookie, at any address, so a shared link opens its
/// screen. It lives in memory, until the process ends or newer sessions need its place. Then the next form is shown again with
/// its input, because the browser got a new session.
@MainActor
public final class WebSessions<Screen: NavigationScreen> {
  /// The maximum number of sessions.
  ///
  /// Beyond it, the oldest session with a single request ends, so that requests without a cookie do not end the sessions of
  /// users. If all were used again, the one that was not used for the longest time ends.
  public let limit: Int
  private let cookie: String
  private let isSecure: Bool
  private let makeApp: () -> WebApp<Screen>
  /// Each with its last use: 0 for the first request or 1 for a later one, and the number of the request.
  private var sessions: [String: (app: WebApp<Screen>, lastUse: (Int, Int))] = [:]
  private var uses = 0

  /// Creates an empty table of sessions.
  ///
  /// - Parameters:
  ///   - cookie: The name of the cookie. Browsers share the cookies of a host between its ports, so servers on one host need
  ///     different names.
  ///   - isSecure: Whether browsers send the cookie over TLS alone; set it unless the app is served over plain HTTP.
  ///   - limit: The maximum number of sessions.
  ///   - app: Makes the app of a new session.
  public init(
    cookie: String = "session", isSecure: Bool = false, limit: Int = 1_000, app: @escaping () -> WebApp<Screen>
  ) {
    self.cookie = cookie
    self.isSecure = isSecure
    self.limit = limit
    makeApp = app
  }

  /// The number of sessions.
  public var count: Int { sessions.count }

  /// Responds to a request with the app of its session.
  public func respond(to request: WebRequest) async -> WebResponse {
    uses += 1
    if let id = request.cookie(named: cookie), let app = sessions[id]?.app {
      sessions[id] = (app, (1, uses))
      return await app.respond(to: request)
    }
    if request.target == scriptAddress { return scriptResponse }
    let app = makeApp()
    // The HEAD requests of a monitor begin no session.
    guard ["GET", "POST"].contains(request.method) else { return await app.respond(to: request) }
    if sessions.count >= limit, let oldest = sessions.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      sessions[oldest.key] = nil
    }
    let id = randomText()
    sessions[id] = (app, (0, uses))
    var response = await app.respond(to: request)
    response.headers["Set-Cookie"] =
      "\(cookie)=\(id); Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    return response
  }
}

/// Returns 128 random bits of the system's secure generator, as text.
func randomText() -> String {
  (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined(separator: "-")
}
