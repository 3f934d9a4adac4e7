internal import Coordinators

@MainActor
final class ShellDriver<Screen: NavigationScreen> {
  weak var navigator: Navigator<Screen>?
  /// Performs a batch on the containers; must be followed by a call of ``acknowledge(_:)``, at once or later.
  var perform: (Batch<Screen>) -> Void = { _ in }
  private var synchronization: Synchronization<Screen>?

  func show(_ navigation: Navigation<Screen>) {
    var changed = synchronization ?? Synchronization(navigation)
    let batch = changed.want(navigation)
    synchronization = changed
    if let batch { perform(batch) }
  }

  func acknowledge(_ acknowledgement: Acknowledgement) { receive { $0.accept(acknowledgement) } }

  func observe(_ state: ShellState) { receive { $0.accept(state) } }

  private func receive(_ accept: (inout Synchronization<Screen>) -> SynchronizationOutcome?) {
    guard var changed = synchronization, let outcome = accept(&changed) else { return }
    synchronization = changed
    for node in outcome.discrepancies { navigator?.report(.discrepancy(node)) }
    // The reactions of the coordinators go into the same batch.
    if outcome.didChangeNavigation { navigator?.replaceNavigation(with: changed.navigation) }
    show(navigator?.navigation ?? changed.navigation)
  }
}
