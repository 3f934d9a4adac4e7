/// Something that was not obeyed, and is told to whoever made the ``Navigator``.
public enum CoordinatorReport: Hashable, Sendable {
  /// A coordinator that is gone, or has ended, ended once more; its result was dropped.
  case lateResult(CoordinatorID)
  /// A coordinator that is gone, or has ended, wanted something of the navigation.
  case lateIntent(CoordinatorID)
  /// A person did something on a screen that is not in sight any more; a double tap, by far the most often.
  case lateAction(NodeID)
  /// A child of this name is running already, so no second one was started.
  case startedTwice(CoordinatorID)
  /// So many coordinators have started in answer to one event that it would not end; this one was refused.
  case startedTooOften(CoordinatorID, limit: Int)
  /// The coordinator showed nothing in its `start()`, and so is gone already.
  case startedWithoutScreens(CoordinatorID)
  /// The coordinator has presented two modals in its `start()`; the second one was dropped, and who is in it is gone.
  case presentedTwice(CoordinatorID)
  /// The coordinator has ended, and its screens cannot go, since nothing was put in their place.
  case nothingInItsPlace(CoordinatorID)
  /// Nodes belong to a coordinator that nobody wanted to make; they are shown, and what is done on them is dropped.
  case notRestored(CoordinatorID)
  /// An intent was refused.
  case refused(NavigationError)
  /// A shell with containers of its own shows something else than the navigation at this node.
  case discrepancy(NodeID)
}

extension CoordinatorReport: CustomStringConvertible {
  /// What happened, and what to do.
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
    case .nothingInItsPlace(let id):
      "Cannot remove the screens of '\(id)', which has ended: they are the root or the content of a tab. Replace them in `then`."
    case .notRestored(let id):
      "No coordinator '\(id)' is running for its nodes. Create it in the restoreChild(_:) of its parent."
    case .refused(let error): "\(error)"
    case .discrepancy(let id):
      "The shell differs from the navigation at \(id). It is set up again, once."
    }
  }
}
