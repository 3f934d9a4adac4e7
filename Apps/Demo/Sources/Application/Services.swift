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
  /// The link that has not been followed yet: its story is being asked for, or it waits for a log-in.
  var waitingLink: DemoRoute? {
    didSet { if waitingLink != nil, waitingLink != oldValue { onWaitingLink() } }
  }
  /// Hears that a link waits; that it does no more shows in the navigation.
  var onWaitingLink: () -> Void = {}

  init(client: ContentClient, session: Session? = nil, work: PendingWork = PendingWork(), now: @escaping () -> Duration)
  {
    self.client = client
    self.session = session
    self.work = work
    self.now = now
  }
}
