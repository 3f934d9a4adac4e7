internal import Coordinators

/// Keeps containers that have a state of their own in step with a navigator.
///
/// It sends one batch of commands at a time, and accepts the changes that the user makes in the containers.
@MainActor
final class ShellDriver<Screen: NavigationScreen> {
  /// The navigator that receives the changes by the user.
  weak var navigator: Navigator<Screen>?
  /// Performs a batch on the containers; must be followed by a call of ``acknowledge(_:)``, at once or later.
  var perform: (Batch<Screen>) -> Void = { _ in }
  private var synchronization: Synchronization<Screen>?

  /// Shows a navigation now, or after the batch in flight.
  func show(_ navigation: Navigation<Screen>) {
    let batch: Batch<Screen>?
    if synchronization == nil {
      synchronization = Synchronization(navigation)
      batch = synchronization?.start()
    } else {
      batch = synchronization?.want(navigation)
    }
    if let batch { perform(batch) }
  }

  /// Accepts the state of the containers after a batch.
  func acknowledge(_ acknowledgement: Acknowledgement) { receive { $0.hear(acknowledgement) } }

  /// Accepts the state of the containers after a change by the user.
  func observe(_ state: ShellState) { receive { $0.hear(state) } }

  /// Sets up new, empty containers.
  func restart() {
    if let batch = synchronization?.start() { perform(batch) }
  }

  private func receive(_ hear: (inout Synchronization<Screen>) -> SynchronizationOutcome<Screen>) {
    guard var heard = synchronization else { return }
    let outcome = hear(&heard)
    synchronization = heard
    for discrepancy in outcome.discrepancies { navigator?.report(.discrepancy(discrepancy.id)) }
    // The reactions of the coordinators go into the same batch.
    if outcome.didChangeNavigation { navigator?.replaceNavigation(with: heard.navigation) }
    show(navigator?.navigation ?? heard.navigation)
  }
}
