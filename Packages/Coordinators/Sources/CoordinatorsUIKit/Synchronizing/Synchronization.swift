internal import Coordinators

/// The synchronisation of containers with a navigation, as a state machine: the navigation, the state of the containers, and
/// the batch of commands in flight.
///
/// ```swift
/// var synchronization = Synchronization(navigation)
/// if let batch = synchronization.start() { shell.perform(batch) }
/// // … when the shell is done, with the state of its containers:
/// let outcome = synchronization.acknowledge(Acknowledgement(batch: batch.number, state: shell.state))
/// if let next = outcome.batch { shell.perform(next) }
/// ```
///
/// **One batch at a time.** Changes during a batch form one next batch: the shell never shows a state in between.
///
/// **The user wins.** Screens that the user removed (by a swipe back, a dismissal, a closed tab) are removed from the
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

  /// Whether the containers show the navigation.
  var isInStep: Bool { batchInFlight == nil && shown?.root == navigation.root }

  /// Begins with new, empty containers.
  mutating func start() -> Batch<Screen>? {
    shown = nil
    batchInFlight = nil
    return next()
  }

  /// Applies intents: all or none of them.
  ///
  /// - Returns: The next batch; `nil` when nothing changes, or another batch is in flight.
  /// - Throws: ``NavigationError``; then nothing has changed.
  mutating func apply(_ intents: Intent<Screen>...) throws(NavigationError) -> Batch<Screen>? {
    var result = navigation
    for intent in intents { try result.apply(intent) }
    return want(result)
  }

  /// Shows another navigation, which was derived from this one.
  ///
  /// - Returns: The next batch; `nil` when nothing changes, or another batch is in flight.
  mutating func want(_ navigation: Navigation<Screen>) -> Batch<Screen>? {
    let isUnchanged = navigation == self.navigation
    self.navigation = navigation
    return batchInFlight != nil || (isGivenUp && isUnchanged) ? nil : next()
  }

  /// Accepts the state of the containers after a batch.
  mutating func acknowledge(_ acknowledgement: Acknowledgement) -> SynchronizationOutcome<Screen> {
    var outcome = hear(acknowledgement)
    if !outcome.isStale { outcome.batch = want(navigation) }
    return outcome
  }

  /// Accepts the state of the containers after a change by the user.
  ///
  /// Ignored as stale while a batch is in flight, because its acknowledgement will contain the state.
  mutating func observe(_ state: ShellState) -> SynchronizationOutcome<Screen> {
    var outcome = hear(state)
    if !outcome.isStale { outcome.batch = want(navigation) }
    return outcome
  }

  /// Does the same as ``acknowledge(_:)``, but returns no batch; the caller requests one with ``want(_:)``.
  mutating func hear(_ acknowledgement: Acknowledgement) -> SynchronizationOutcome<Screen> {
    guard let batch = batchInFlight, let target, batch.number == acknowledgement.batch else {
      return SynchronizationOutcome(isStale: true)
    }
    batchInFlight = nil
    let wasSetUp = batch.commands == [.setRoot(target.root)]
    return reconcile(target, with: acknowledgement.state, canSetUp: !wasSetUp)
  }

  /// Does the same as ``observe(_:)``, but returns no batch.
  mutating func hear(_ state: ShellState) -> SynchronizationOutcome<Screen> {
    guard batchInFlight == nil, let shown else { return SynchronizationOutcome(isStale: true) }
    return reconcile(shown, with: state, canSetUp: true)
  }

  private mutating func reconcile(
    _ told: Navigation<Screen>, with state: ShellState, canSetUp: Bool
  ) -> SynchronizationOutcome<Screen> {
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

  /// Creates an acknowledgement.
  init(batch: Int, state: ShellState) {
    self.batch = batch
    self.state = state
  }
}

/// The effect of a state of the containers.
struct SynchronizationOutcome<Screen: Hashable & Sendable>: Hashable, Sendable {
  /// The next batch.
  var batch: Batch<Screen>?
  /// Whether the user has changed the navigation.
  var didChangeNavigation = false
  /// The unknown, missing and wrong nodes of the containers.
  var discrepancies: [Discrepancy] = []
  /// Whether the state was ignored, because a batch was in flight or another one was expected.
  var isStale = false
}

/// A mistake in the shell.
enum Discrepancy: Hashable, Sendable {
  /// A container has an unknown node.
  case unexpected(NodeID)
  /// A stack or tabs are empty, or a node has another kind.
  case malformed(NodeID)

  var id: NodeID {
    switch self {
    case .unexpected(let id), .malformed(let id): id
    }
  }
}
