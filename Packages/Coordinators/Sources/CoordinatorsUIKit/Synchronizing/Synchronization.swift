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
  /// The navigation to show, including the changes by the user.
  private(set) var navigation: Navigation<Screen>
  /// The navigation that the containers showed last; `nil` before the first acknowledgement.
  private(set) var shown: Navigation<Screen>?
  /// The batch in flight.
  private(set) var batchInFlight: Batch<Screen>?
  private var target: Navigation<Screen>?
  private var lastNumber = 0
  /// Whether the set-up has failed: no batch is sent until the navigation changes.
  private var isGivenUp = false

  /// Creates the state before the first batch.
  init(_ navigation: Navigation<Screen>) { self.navigation = navigation }

  /// Shows the first navigation, or one that was derived from the current one.
  ///
  /// - Returns: The next batch; `nil` when nothing changes, or another batch is in flight.
  mutating func want(_ navigation: Navigation<Screen>) -> Batch<Screen>? {
    let isUnchanged = navigation == self.navigation
    self.navigation = navigation
    return batchInFlight != nil || (isGivenUp && isUnchanged) ? nil : next()
  }

  /// Accepts the state of the containers after a batch.
  ///
  /// - Returns: The effect; `nil` if another batch is in flight.
  mutating func accept(_ acknowledgement: Acknowledgement) -> SynchronizationOutcome? {
    guard let batch = batchInFlight, let target, batch.number == acknowledgement.batch else { return nil }
    batchInFlight = nil
    let wasSetUp = batch.commands == [.setRoot(target.root)]
    return reconcile(target, with: acknowledgement.state, canSetUp: !wasSetUp)
  }

  /// Accepts the state of the containers after a change by the user.
  ///
  /// - Returns: The effect; `nil` while a batch is in flight, because its acknowledgement will contain the state.
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
  /// An increasing number, for the acknowledgement.
  let number: Int
  /// The commands, in order; at least one.
  let commands: [NavigationCommand<Screen>]
}

/// The state of the containers after a batch.
struct Acknowledgement: Hashable, Sendable {
  /// The number of the batch.
  var batch: Int
  /// The state of the containers.
  var state: ShellState
}

/// The effect of a state of the containers.
struct SynchronizationOutcome: Hashable, Sendable {
  /// Whether the user has changed the navigation.
  var didChangeNavigation = false
  /// The nodes at which the containers are unknown, malformed or of another kind.
  var discrepancies: [NodeID] = []
}
