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
  case notAdopted(CoordinatorID)
  /// An intent was refused.
  case refused(NavigationError)
  /// The shell has what it was never told.
  case discrepancy(Discrepancy)
}

extension CoordinatorReport: CustomStringConvertible {
  /// What happened, and what to do.
  public var description: String {
    switch self {
    case .lateResult(let id): "'\(id)' ended once more, or after its screens were gone. The result was dropped."
    case .lateIntent(let id): "'\(id)' has ended and wanted to show something. Check that its work ends with it."
    case .lateAction(let id): "Something was done on \(id), which is not in sight any more. It was dropped."
    case .startedTwice(let id): "'\(id)' is running already. Give children that live together names of their own."
    case .startedTooOften(let id, let limit):
      "'\(id)' was not started: \(limit) coordinators have, in answer to one event. Look for two that start each other in `then`."
    case .startedWithoutScreens(let id): "'\(id)' showed nothing in its start() and is gone. Push a screen there."
    case .presentedTwice(let id):
      "'\(id)' presented two modals in its start(). The second was dropped; present it over the first, or once that has gone."
    case .nothingInItsPlace(let id):
      "'\(id)' has ended, and its screens are the root or the content of a tab. Put something in their place in `then`."
    case .notAdopted(let id): "Nobody made '\(id)', to which nodes belong. Make it in its parent's adopt(_:)."
    case .refused(let error): "\(error)"
    case .discrepancy(let discrepancy): "The shell is out of step: \(discrepancy). It is set up anew."
    }
  }
}
