/// A slot in which a link waits, for example for a log-in or for the end of a launch.
///
/// ```swift
/// private var pending = PendingLink<Screen>(atMost: .seconds(600))
///
/// func open(_ screen: Screen) {
///   if isLoggedIn { return context.push(screen) }
///   pending.hold(screen)
///   context.startChild("log in", .modal, make: LogInCoordinator.init) { [weak self] _ in
///     if let self, isLoggedIn, let screen = pending.take() { open(screen) }
///   }
/// }
/// ```
///
/// Only the newest link waits; it replaces an older one, because the user wants the last link that they opened.
public struct PendingLink<Route: Sendable>: Sendable {
  private var held: (route: Route, isValid: @Sendable () -> Bool)?
  /// Returns whether a link that is held from now on is still valid, at each later call.
  private let begin: @Sendable () -> @Sendable () -> Bool

  /// Creates an empty slot; a link that waits for `limit` expires, in the time of `clock`.
  public init(atMost limit: Duration, clock: some Clock<Duration> = ContinuousClock()) {
    begin = {
      let expiry = clock.now.advanced(by: limit)
      return { clock.now < expiry }
    }
  }

  /// Keeps a link instead of an earlier one.
  public mutating func hold(_ route: Route) { held = (route, begin()) }

  /// Removes the link, and returns it unless it has expired; call it to drop the link too.
  @discardableResult
  public mutating func take() -> Route? {
    defer { held = nil }
    return held.flatMap { $0.isValid() ? $0.route : nil }
  }
}
