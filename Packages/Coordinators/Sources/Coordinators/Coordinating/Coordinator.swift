public import Futures

/// A screen of an app, as a value, with what a person can do on it.
///
/// ```swift
/// enum Screen: NavigationScreen {
///   case words, word(String)
///   enum Action: Sendable { case selected(String), back }
/// }
/// ```
public protocol NavigationScreen: Hashable, Sendable {
  /// What a person can do on a screen.
  associatedtype Action: Sendable
}

/// Decides what comes after a screen; the screens know nothing of each other.
///
/// ```swift
/// final class WordsCoordinator: Coordinator {
///   let presenter: Presenter<Screen, Void>
///   init(presenter: Presenter<Screen, Void>) { self.presenter = presenter }
///
///   func start() { presenter.push(.screen(.words)) }
///
///   func receive(_ action: Screen.Action, from node: Node<Screen>) {
///     if case .selected(let word) = action { presenter.push(.screen(.word(word))) }
///   }
/// }
/// ```
///
/// A coordinator lives exactly as long as a screen of its own, or of one below it, is in the navigation: the ``Navigator``
/// holds it until then, and lets go of it then, however the screens went. So it needs no reference to its children.
///
/// Source: *Boundaries in Practice*: "the coordinator protocol … is very minimal. All it requires is a start function".
@MainActor
public protocol Coordinator<Screen, Output>: AnyObject {
  /// The screens of the app.
  associatedtype Screen: NavigationScreen
  /// What the coordinator ends with.
  associatedtype Output: Sendable

  /// Where it shows its screens.
  var presenter: Presenter<Screen, Output> { get }

  /// Shows the first screens, one at least.
  ///
  /// Called once, by the ``Navigator``. Not called when the screens were there first, because a link or a saved state
  /// brought them.
  func start()

  /// Hears what a person did on one of its screens, while that one is in sight.
  func receive(_ action: Screen.Action, from node: Node<Screen>)

  /// Makes a child whose screens are there already, with ``Presenter/adopt(_:make:then:)``, and says whether it did.
  ///
  /// Called when a link, or a saved state, has brought screens of a child that is not running.
  func adopt(_ name: String) -> Bool
}

extension Coordinator {
  /// Does nothing.
  public func receive(_ action: Screen.Action, from node: Node<Screen>) {}

  /// Makes nothing.
  public func adopt(_ name: String) -> Bool { false }
}

/// How a child has ended, as its parent hears it.
public enum CoordinatorResult<Output: Sendable>: Sendable {
  /// With a result of its own.
  case finished(Output)
  /// Without, since its screens are gone: a swipe back, an unwinding, a closed tab, a log-out.
  case cancelled
}

extension CoordinatorResult: Equatable where Output: Equatable {}

/// The error of a coordinator's future when its screens are gone before it has a result.
public struct CoordinatorCancelled: Error, Hashable, CancellationRepresentable, CustomStringConvertible {
  /// Creates the only value.
  public init() {}

  /// The only value.
  public static var cancellation: CoordinatorCancelled { CoordinatorCancelled() }

  /// What happened.
  public var description: String {
    "The coordinator ended without a result, for example because its screens were removed."
  }
}
