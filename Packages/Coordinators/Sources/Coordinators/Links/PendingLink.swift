/// The effect of an obstacle on a link, such as a log-in, a launch in progress, or unsaved changes.
public enum LinkPolicy: Hashable, Sendable {
  case deliver
  /// Hold the link until the obstacle is removed, at most for this time.
  case hold(atMost: Duration)
  case reject(reason: String)
}

/// A slot in which a link waits until obstacles are removed, as a state machine; each link leaves it exactly once.
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
/// Only the newest link waits; it replaces an older one, because the user wants the last link that they opened.
///
/// The caller passes the current time as a duration since any fixed moment; it must not decrease.
public struct PendingLink<Route: Sendable, Obstacle: Hashable & Sendable>: Sendable {
  public enum Event: Sendable {
    case delivered(Route)
    case held(Route, for: Set<Obstacle>)
    case rejected(Route, reasons: [String])
    case expired(Route)
    case replaced(Route)
  }

  private struct Waiting: Sendable {
    var route: Route
    var received: Duration
    var deadline: Duration
  }

  public private(set) var obstacles: Set<Obstacle>
  private let policy: @Sendable (Route, Obstacle) -> LinkPolicy
  private var waiting: Waiting?

  /// Creates an empty slot.
  ///
  /// `policy` must return the same result at each call.
  public init(obstacles: Set<Obstacle> = [], policy: @escaping @Sendable (Route, Obstacle) -> LinkPolicy) {
    self.obstacles = obstacles
    self.policy = policy
  }

  public var route: Route? { waiting?.route }

  /// The time at which the waiting link expires, in the caller's time; `nil` when no link waits.
  ///
  /// Call ``advance(to:)`` at this time.
  public var deadline: Duration? { waiting?.deadline }

  public mutating func receive(_ route: Route, at now: Duration) -> [Event] {
    var events = advance(to: now)
    if let waiting { events.append(.replaced(waiting.route)) }
    waiting = Waiting(route: route, received: now, deadline: .seconds(Int64.max))
    return events + resolve(at: now, isNew: true)
  }

  public mutating func add(_ obstacle: Obstacle, at now: Duration) -> [Event] {
    let events = advance(to: now)
    obstacles.insert(obstacle)
    return events + resolve(at: now, isNew: false)
  }

  public mutating func remove(_ obstacle: Obstacle, at now: Duration) -> [Event] {
    let events = advance(to: now)
    obstacles.remove(obstacle)
    return events + resolve(at: now, isNew: false)
  }

  public mutating func advance(to now: Duration) -> [Event] {
    guard let waiting, now >= waiting.deadline else { return [] }
    self.waiting = nil
    return [.expired(waiting.route)]
  }

  private mutating func resolve(at now: Duration, isNew: Bool) -> [Event] {
    guard var link = waiting else { return [] }
    var reasons: [String] = []
    var holding: Set<Obstacle> = []
    // Only the current obstacles limit the waiting time; a removed one no longer does.
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
