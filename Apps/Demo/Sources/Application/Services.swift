internal import Coordinators
internal import Futures

/// The dependencies of the coordinators and the providers of one app.
@MainActor
final class Services {
  let client: ContentClient
  /// Returns the time since a fixed instant.
  let now: () -> Duration
  /// The session of the user, or `nil` when logged out.
  var session: Session?
  /// Wakes the app when a link expires.
  let clock: any Clock<Duration>
  /// The pending link, which waits for a response or for a log-in.
  var waitingLink: WaitingLink? {
    didSet { if waitingLink != nil, waitingLink != oldValue { onWaitingLink() } }
  }
  /// Called when a link becomes pending.
  ///
  /// Not called when the link stops being pending, because the navigation changes then.
  var onWaitingLink: () -> Void = {}

  struct WaitingLink: Hashable {
    var route: DemoRoute
    /// The expiry, in the time of ``Services/now``.
    var deadline: Duration
  }

  init(
    client: ContentClient, session: Session? = nil,
    clock: any Clock<Duration> = ContinuousClock(), now: @escaping () -> Duration
  ) {
    self.client = client
    self.session = session
    self.clock = clock
    self.now = now
  }

  /// Ends the session here and at the server.
  ///
  /// The server's response is ignored.
  func logOut(in context: DemoContext<Never>) {
    if let session { context.track(client.logOut(session)) }
    session = nil
  }
}
