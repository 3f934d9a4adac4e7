/// A shell without screens, for tests: it records every navigation that it shows.
///
/// ```swift
/// let shell = RecordingShell<Screen>()
/// let navigator = Navigator<Screen>(show: shell.show)
/// navigator.start("application") { ApplicationCoordinator($0) }
/// shell.navigation?.popIntent.map(navigator.apply)  // a swipe back
/// ```
@MainActor
public final class RecordingShell<Screen: Hashable & Sendable> {
  public private(set) var navigations: [Navigation<Screen>] = []

  public init() {}

  public var navigation: Navigation<Screen>? { navigations.last }

  public func show(_ navigation: Navigation<Screen>) { navigations.append(navigation) }
}
