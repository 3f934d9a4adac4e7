public import Futures

/// A screen of an app, as a value.
///
/// ```swift
/// enum Screen: NavigationScreen {
///   case words, word(String)
///   enum Action: Sendable { case select(String), logOut }
/// }
/// ```
public protocol NavigationScreen: Hashable, Sendable {
  /// An action of the user on a screen; by default, the screen to open.
  associatedtype Action: Sendable = Self
}

/// Decides which screen comes next, so that the screens do not depend on each other.
///
/// ```swift
/// final class WordsCoordinator: Coordinator {
///   let context: CoordinatorContext<Screen, Void>
///   init(_ context: CoordinatorContext<Screen, Void>) { self.context = context }
///
///   func start() { context.push(.words) }
///
///   func receive(_ action: Screen.Action) {
///     switch action {
///     case .select(let word): context.push(.word(word))
///     case .logOut: context.finish(())
///     }
///   }
/// }
/// ```
///
/// A coordinator lives exactly as long as it, or a coordinator below it, has a screen in the navigation. The
/// ``Navigator`` retains it until then, and releases it after the last screen was removed, for any reason.
///
/// Source: *Boundaries in Practice*.
@MainActor
public protocol Coordinator<Screen, Output>: AnyObject {
  associatedtype Screen: NavigationScreen
  associatedtype Output: Sendable

  /// The place of the coordinator in the navigation, as passed to its initialiser.
  var context: CoordinatorContext<Screen, Output> { get }

  /// Shows the first screens, at least one.
  ///
  /// The ``Navigator`` calls it once. The call is omitted when a link or a saved state has already shown the screens.
  func start()

  /// Receives an action of the user on one of its screens, while that screen is visible.
  func receive(_ action: Screen.Action)

  /// Receives an action with the node of the screen.
  ///
  /// Implement it instead of ``receive(_:)`` where the node matters, for example to update its screen.
  func receive(_ action: Screen.Action, from node: Node<Screen>)

  /// Creates a child whose screens exist already, with ``CoordinatorContext/restoreChild(_:make:then:)``.
  ///
  /// Called when a link or a saved state has shown screens of a child that is not running.
  func restoreChild(_ name: String) -> Bool
}

extension Coordinator {
  /// Does nothing.
  public func receive(_ action: Screen.Action) {}

  public func receive(_ action: Screen.Action, from node: Node<Screen>) { receive(action) }

  public func restoreChild(_ name: String) -> Bool { false }
}

/// The end of a child, as reported to its parent.
public enum CoordinatorResult<Output: Sendable>: Sendable {
  case finished(Output)
  /// The child's screens were removed, for example by a swipe back, the removal of a tab or a log-out.
  case cancelled
}

extension CoordinatorResult: Equatable where Output: Equatable {}

/// The error of a coordinator's future when its screens were removed before it had a result.
public struct CoordinatorCancelled: Error, Hashable, CancellationRepresentable, CustomStringConvertible {
  public init() {}

  public static var cancellation: CoordinatorCancelled { CoordinatorCancelled() }

  public var description: String {
    "The coordinator ended without a result, for example because its screens were removed."
  }
}
