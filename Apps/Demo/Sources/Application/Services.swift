internal import Coordinators
internal import Futures

/// What the coordinators and the providers of one app are handed.
@MainActor
final class Services {
  let client: ContentClient
  /// All that is under way, so that a script and a web page can wait for it.
  let work: PendingWork
  /// The time since some fixed instant.
  let now: () -> Duration
  /// Who is logged in.
  var session: Session?
  /// What wakes it when the time of a link is over.
  let clock: any Clock<Duration>
  /// The link that has not been followed yet: its story is being asked for, or it waits for a log-in.
  var waitingLink: WaitingLink? {
    didSet { if waitingLink != nil, waitingLink != oldValue { onWaitingLink() } }
  }
  /// Hears that a link waits; that it does no more shows in the navigation.
  var onWaitingLink: () -> Void = {}

  /// A link that waits.
  struct WaitingLink: Hashable {
    var route: DemoRoute
    /// Until when, in the time of ``Services/now``.
    var deadline: Duration
  }

  init(
    client: ContentClient, session: Session? = nil, work: PendingWork = PendingWork(),
    clock: any Clock<Duration> = ContinuousClock(), now: @escaping () -> Duration
  ) {
    self.client = client
    self.session = session
    self.work = work
    self.clock = clock
    self.now = now
  }

  /// Nobody is logged in any more, here and at the server, whose answer changes nothing.
  func logOut() {
    if let session { work.track(client.logOut(session)) { _ in } }
    session = nil
  }
}
