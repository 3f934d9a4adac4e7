internal import Futures

@MainActor
final class RunningCoordinator<Screen: NavigationScreen> {
  let id: CoordinatorID
  private let depth: Int
  let future: AnyObject
  /// Distinguishes the coordinator from earlier and later ones with the same name.
  private let context: AnyObject
  /// This closure and `restoreChild` are the only strong references of the library to the coordinator.
  let receive: (Screen.Action, Node<Screen>) -> Void
  let restoreChild: (String) -> Bool
  let cancel: () -> Void
  /// Whether its `start()` has shown content; `nil` before.
  var hadScreens: Bool?
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

  func has(_ context: AnyObject) -> Bool { self.context === context }

  static func isAbove(_ left: RunningCoordinator, _ right: RunningCoordinator) -> Bool {
    left.depth == right.depth ? left.id.path < right.id.path : left.depth < right.depth
  }
}
