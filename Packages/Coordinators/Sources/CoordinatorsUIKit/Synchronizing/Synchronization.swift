internal import Coordinators

/// The synchronisation of containers with a navigation, as a state machine: the navigation, the state of the containers, and
/// the batch of commands in flight.
///
/// ```swift
/// var synchronization = Synchronization(navigation)
/// if let batch = synchronization.want(navigation) { shell.perform(batch) }
/// // … when the shell is done, with the state of its containers:
/// _ = synchronization.accept(Acknowledgement(batch: batch.number, state: shell.state))
/// if let next = synchronization.want(synchronization.navigation) { shell.perform(next) }
/// ```
///
/// **One batch at a time.** Changes during a batch form one next batch: the shell never shows a state in between.
///
/// **The user wins.** Screens that the user removed (by a swipe back, a dismissal, a removed tab) are removed from the
/// navigation too, with the screens that were pushed on top of them during the batch. A tab that the user selected stays
/// selected, unless another one was selected during the batch. Containers with unknown nodes are set up again, once.
struct Synchronization<Screen: Hashable & Sendable>: Sendable {
  private(set) var navigation: Navigation<Screen>
  private(set) var shown: Navigation<Screen>?
  private(set) var batchInFlight: Batch<Screen>?
  private var target: Navigation<Screen>?
  private var lastNumber = 0
  /// Whether the set-up has failed: no batch is sent until the navigation changes.
  private var isGivenUp = false

  init(_ navigation: Navigation<Screen>) { self.navigation = navigation }

  mutating func want(_ navigation: Navigation<Screen>) -> Batch<Screen>? {
    let isUnchanged = navigation == self.navigation
    self.navigation = navigation
    return batchInFlight != nil || (isGivenUp && isUnchanged) ? nil : next()
  }

  mutating func accept(_ acknowledgement: Acknowledgement) -> SynchronizationOutcome? {
    guard let batch = batchInFlight, let target, batch.number == acknowledgement.batch else { return nil }
    batchInFlight = nil
    let wasSetUp = batch.commands == [.setRoot(target.root)]
    return reconcile(target, with: acknowledgement.state, canSetUp: !wasSetUp)
  }

  /// Returns `nil` while a batch is in flight, because its acknowledgement will contain the state.
  mutating func accept(_ state: ShellState) -> SynchronizationOutcome? {
    guard batchInFlight == nil, let shown else { return nil }
    return reconcile(shown, with: state, canSetUp: true)
  }

  private mutating func reconcile(
    _ told: Navigation<Screen>, with state: ShellState, canSetUp: Bool
  ) -> SynchronizationOutcome {
    var reconciliation = Reconciliation<Screen>()
    guard let root = reconciliation.match(told.root, to: state), reconciliation.discrepancies.isEmpty else {
      shown = nil
      isGivenUp = !canSetUp
      return SynchronizationOutcome(discrepancies: reconciliation.discrepancies)
    }
    let real = Navigation(root: root, nextID: told.nextID)
    shown = real
    let before = navigation
    navigation.follow(from: told, to: real, selections: reconciliation.selections)
    return SynchronizationOutcome(didChangeNavigation: navigation != before)
  }

  private mutating func next() -> Batch<Screen>? {
    isGivenUp = false
    let commands = shown.map { navigation.commands(from: $0) } ?? [.setRoot(navigation.root)]
    if commands.isEmpty {
      shown = navigation
      return nil
    }
    lastNumber += 1
    let batch = Batch(number: lastNumber, commands: commands)
    batchInFlight = batch
    target = navigation
    return batch
  }
}

/// Commands that are performed together, without a visible state in between.
struct Batch<Screen: Hashable & Sendable>: Hashable, Sendable {
  let number: Int
  let commands: [NavigationCommand<Screen>]
}

struct Acknowledgement: Hashable, Sendable {
  var batch: Int
  var state: ShellState
}

struct SynchronizationOutcome: Hashable, Sendable {
  var didChangeNavigation = false
  /// The nodes at which the containers are unknown, malformed or of another kind.
  var discrepancies: [NodeID] = []
}
