internal import Futures

/// A coordinator that runs, without its types.
@MainActor
final class RunningCoordinator<Screen: NavigationScreen> {
  let id: CoordinatorID
  /// How many names its path has.
  private let depth: Int
  let future: AnyObject
  /// Tells it from another one of its name, before or after it.
  private let context: AnyObject
  /// This and the next are the only strong references to it that the library has.
  let receive: (Screen.Action, Node<Screen>) -> Void
  let restoreChild: (String) -> Bool
  let cancel: () -> Void
  /// Whether it has shown anything in its `start()`.
  var hadScreens: Bool?
  /// Whether its screens have been in the navigation.
  var isPlaced = false
  var hasEnded = false
  var isReported = false

  init<Child: Coordinator>(_ child: Child, _ context: CoordinatorContext<Screen, Child.Output>)
  where Child.Screen == Screen {
    id = context.id
    depth = id.depth
    self.context = context
    future = context.future
    receive = { child.receive($0, from: $1) }
    restoreChild = { child.restoreChild($0) }
    cancel = { context.cancel() }
  }

  /// Whether this is the coordinator that has a context, and not only one of the same name.
  func has(_ context: AnyObject) -> Bool { self.context === context }

  /// Whether one is nearer to the root than the other; of two as near, the one whose name comes first.
  static func isAbove(_ left: RunningCoordinator, _ right: RunningCoordinator) -> Bool {
    left.depth == right.depth ? left.id.path < right.id.path : left.depth < right.depth
  }
}
