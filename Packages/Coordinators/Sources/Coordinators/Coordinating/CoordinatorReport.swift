/// A call that the ``Navigator`` ignored or refused.
public enum CoordinatorReport: Hashable, Sendable {
  case lateResult(CoordinatorID)
  case lateIntent(CoordinatorID)
  /// An action on a screen that is no longer visible, for example by a double tap.
  case lateAction(NodeID)
  case startedTwice(CoordinatorID)
  /// Too many coordinators started in reaction to one event; this one was refused.
  case startedTooOften(CoordinatorID, limit: Int)
  case startedWithoutScreens(CoordinatorID)
  /// The coordinator presented two modals in its `start()`; the second one was dropped with its coordinators.
  case presentedTwice(CoordinatorID)
  /// The coordinator has ended, but its screens cannot be removed, because they were not replaced.
  case notReplaced(CoordinatorID)
  /// Nodes belong to a coordinator that no parent restored; they are shown, and actions on them are dropped.
  case notRestored(CoordinatorID)
  case refused(NavigationError)
  /// A shell with its own containers does not match the navigation at this node.
  case discrepancy(NodeID)
}

extension CoordinatorReport: CustomStringConvertible {
  public var description: String {
    switch self {
    case .lateResult(let id): "Dropped a result of '\(id)': it has already ended, or its screens were removed."
    case .lateIntent(let id): "Ignored a navigation change by '\(id)': it has ended. Stop its work when it ends."
    case .lateAction(let id): "Dropped an action on \(id): its screen is not visible."
    case .startedTwice(let id):
      "Cannot start '\(id)': it is already running. Give children that run at the same time different names."
    case .startedTooOften(let id, let limit):
      "Cannot start '\(id)': one event has started \(limit) coordinators. Check for two that start each other in `then`."
    case .startedWithoutScreens(let id): "Ended '\(id)': it showed nothing in its start(). Push a screen there."
    case .presentedTwice(let id):
      "Dropped the second modal that '\(id)' presented in its start(). Present it over the first, or after its dismissal."
    case .notReplaced(let id):
      "Cannot remove the screens of '\(id)', which has ended: they are the root or the content of a tab. Replace them in `then`."
    case .notRestored(let id):
      "No coordinator '\(id)' is running for its nodes. Create it in the restoreChild(_:) of its parent."
    case .refused(let error): "\(error)"
    case .discrepancy(let id):
      "Cannot synchronise the shell: it differs from the navigation at \(id). It is set up again, once. Change its containers only through the navigator."
    }
  }
}
