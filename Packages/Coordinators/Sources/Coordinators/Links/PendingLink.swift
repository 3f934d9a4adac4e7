/// What happens to a link that meets an obstacle: nobody is logged in, the app has just started, there are unsaved changes.
public enum LinkPolicy: Hashable, Sendable {
  /// The obstacle does not matter to this link.
  case deliver
  /// The link waits until the obstacle is gone, at most so long.
  case hold(atMost: Duration)
  /// The link is turned away, with a reason to show.
  case reject(reason: String)
}

/// The slot in which a link waits for what it needs, as a state machine; each link leaves it once.
///
/// ```swift
/// var slot = PendingLink<AppRoute, Obstacle>(obstacles: [.loggedOut]) { route, obstacle in
///   switch (route, obstacle) {
///   case (.story, .loggedOut): .hold(atMost: .seconds(600))
///   case (_, .unsavedChanges): .reject(reason: "Save or discard your changes first.")
///   default: .deliver
///   }
/// }
/// slot.receive(.story(1), at: now)         // [.held(.story(1), for: [.loggedOut])]
/// slot.remove(.loggedOut, at: later)       // [.delivered(.story(1))]
/// ```
///
/// Only the newest link waits: it replaces an older one, as a person means it. Time is handed in, as what has passed since
/// any fixed moment; it must not go back.
public struct PendingLink<Route: Sendable, Obstacle: Hashable & Sendable>: Sendable {
  /// What comes of a link.
  public enum Event: Sendable {
    /// Show it now.
    case delivered(Route)
    /// It waits, for these.
    case held(Route, for: Set<Obstacle>)
    /// It was turned away; the reasons.
    case rejected(Route, reasons: [String])
    /// It has waited for too long.
    case expired(Route)
    /// A newer one has come.
    case replaced(Route)
  }

  private struct Waiting: Sendable {
    var route: Route
    var received: Duration
    var deadline: Duration
  }

  /// What is in the way now.
  public private(set) var obstacles: Set<Obstacle>
  private let policy: @Sendable (Route, Obstacle) -> LinkPolicy
  private var waiting: Waiting?

  /// Creates an empty slot.
  ///
  /// - Parameters:
  ///   - obstacles: What is in the way at the start.
  ///   - policy: What an obstacle means to a route. It has to say the same each time.
  public init(obstacles: Set<Obstacle> = [], policy: @escaping @Sendable (Route, Obstacle) -> LinkPolicy) {
    self.obstacles = obstacles
    self.policy = policy
  }

  /// The link that waits.
  public var route: Route? { waiting?.route }

  /// When the link that waits expires, in the time that is handed in; `nil` when none waits.
  ///
  /// Call ``advance(to:)`` then.
  public var deadline: Duration? { waiting?.deadline }

  /// Takes a link.
  public mutating func receive(_ route: Route, at now: Duration) -> [Event] {
    var events = advance(to: now)
    if let waiting { events.append(.replaced(waiting.route)) }
    waiting = Waiting(route: route, received: now, deadline: .seconds(Int64.max))
    return events + resolve(at: now, isNew: true)
  }

  /// Hears that something is in the way now.
  public mutating func add(_ obstacle: Obstacle, at now: Duration) -> [Event] {
    let events = advance(to: now)
    obstacles.insert(obstacle)
    return events + resolve(at: now, isNew: false)
  }

  /// Hears that something is not in the way any more.
  public mutating func remove(_ obstacle: Obstacle, at now: Duration) -> [Event] {
    let events = advance(to: now)
    obstacles.remove(obstacle)
    return events + resolve(at: now, isNew: false)
  }

  /// Lets a link expire whose time is over.
  public mutating func advance(to now: Duration) -> [Event] {
    guard let waiting, now >= waiting.deadline else { return [] }
    self.waiting = nil
    return [.expired(waiting.route)]
  }

  private mutating func resolve(at now: Duration, isNew: Bool) -> [Event] {
    guard var link = waiting else { return [] }
    var reasons: [String] = []
    var holding: Set<Obstacle> = []
    // Of those that are still in the way: one that is gone holds nobody to its time.
    link.deadline = .seconds(Int64.max)
    for obstacle in obstacles {
      switch policy(link.route, obstacle) {
      case .deliver: break
      case .hold(let limit):
        holding.insert(obstacle)
        link.deadline = min(link.deadline, link.received + max(.zero, limit))
      case .reject(let reason): reasons.append(reason)
      }
    }
    waiting = nil
    if !reasons.isEmpty { return [.rejected(link.route, reasons: reasons.sorted())] }
    if holding.isEmpty { return [.delivered(link.route)] }
    if now >= link.deadline { return [.expired(link.route)] }
    waiting = link
    return isNew ? [.held(link.route, for: holding)] : []
  }
}

extension PendingLink.Event: Equatable where Route: Equatable {}
