internal import Coordinators

/// A navigation and the shell that follows it, as a state machine: what is wanted, what the shell has, and the one batch
/// of commands that is on its way.
///
/// ```swift
/// var synchronization = Synchronization(navigation)
/// if let batch = synchronization.start() { shell.perform(batch) }
/// // … when the shell is done, with what it really has:
/// let outcome = synchronization.acknowledge(Acknowledgement(batch: batch.number, state: shell.state))
/// if let next = outcome.batch { shell.perform(next) }
/// ```
///
/// **One batch at a time.** What is wanted while a batch is on its way goes into one batch after it: the shell never shows a
/// state in between.
///
/// **A person is right.** What a shell has lost (swiped back, dismissed, a closed tab) goes from the navigation too, with
/// what the core had put on top of it meanwhile; and a tab that a person selected stays selected, unless the core has
/// selected another meanwhile. A shell that has what it was never told is set up anew, once.
struct Synchronization<Screen: Hashable & Sendable>: Sendable {
  /// What is wanted, with what persons did.
  private(set) var navigation: Navigation<Screen>
  /// What the shell has, as it said last; `nil` before it has said anything.
  private(set) var shown: Navigation<Screen>?
  /// The batch that the shell has not acknowledged yet.
  private(set) var batchInFlight: Batch<Screen>?
  private var target: Navigation<Screen>?
  private var lastNumber = 0
  /// Whether the shell could not even be set up, and so is left alone until something else is wanted.
  private var isGivenUp = false

  /// Creates the state before any shell is there.
  init(_ navigation: Navigation<Screen>) { self.navigation = navigation }

  /// Whether the shell has what is wanted.
  var isInStep: Bool { batchInFlight == nil && shown?.root == navigation.root }

  /// Begins with a new shell, which has nothing yet; what an earlier one had is forgotten.
  mutating func start() -> Batch<Screen>? {
    shown = nil
    batchInFlight = nil
    return next()
  }

  /// Carries out intents, all or none of them.
  ///
  /// - Returns: The batch for the shell; `nil` when nothing changes for it, or another batch is on its way.
  /// - Throws: ``NavigationError``, and nothing has changed.
  mutating func apply(_ intents: Intent<Screen>...) throws(NavigationError) -> Batch<Screen>? {
    var result = navigation
    for intent in intents { try result.apply(intent) }
    return want(result)
  }

  /// Wants another navigation, which was made from this one.
  ///
  /// - Returns: The batch for the shell; `nil` when nothing changes for it, or another batch is on its way.
  mutating func want(_ navigation: Navigation<Screen>) -> Batch<Screen>? {
    let isUnchanged = navigation == self.navigation
    self.navigation = navigation
    return batchInFlight != nil || (isGivenUp && isUnchanged) ? nil : next()
  }

  /// Hears that the shell has carried out a batch, and what it really has now.
  mutating func acknowledge(_ acknowledgement: Acknowledgement) -> SynchronizationOutcome<Screen> {
    var outcome = hear(acknowledgement)
    if !outcome.isStale { outcome.batch = want(navigation) }
    return outcome
  }

  /// Hears what a shell has after a person did something.
  ///
  /// While a batch is on its way this is stale, since what the shell has is about to change; the acknowledgement will say.
  mutating func observe(_ state: ShellState) -> SynchronizationOutcome<Screen> {
    var outcome = hear(state)
    if !outcome.isStale { outcome.batch = want(navigation) }
    return outcome
  }

  /// The same as ``acknowledge(_:)``, without a batch: somebody will want something in answer to it.
  mutating func hear(_ acknowledgement: Acknowledgement) -> SynchronizationOutcome<Screen> {
    guard let batch = batchInFlight, let target, batch.number == acknowledgement.batch else {
      return SynchronizationOutcome(isStale: true)
    }
    batchInFlight = nil
    let wasSetUp = batch.commands == [.setRoot(target.root)]
    return reconcile(target, with: acknowledgement.state, canSetUp: !wasSetUp)
  }

  /// The same as ``observe(_:)``, without a batch.
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

/// Commands that belong together: a shell shows the state before the first and the state after the last, and none between.
struct Batch<Screen: Hashable & Sendable>: Hashable, Sendable {
  /// Counts up, and is named in the acknowledgement.
  let number: Int
  /// What to do, in order; at least one.
  let commands: [NavigationCommand<Screen>]
}

/// What a shell says when it has carried out a batch.
struct Acknowledgement: Hashable, Sendable {
  /// The number of the batch.
  var batch: Int
  /// What the shell really has now.
  var state: ShellState

  /// Creates an acknowledgement.
  init(batch: Int, state: ShellState) {
    self.batch = batch
    self.state = state
  }
}

/// What came of hearing from a shell.
struct SynchronizationOutcome<Screen: Hashable & Sendable>: Hashable, Sendable {
  /// What the shell is to do next.
  var batch: Batch<Screen>?
  /// Whether a person did something that changed the navigation.
  var didChangeNavigation = false
  /// What the shell has and was never told, or lacks and cannot do without.
  var discrepancies: [Discrepancy] = []
  /// Whether what the shell said came too late, or too early, to count.
  var isStale = false
}

/// How a shell has something else than it was told; a mistake in the shell.
enum Discrepancy: Hashable, Sendable {
  /// The shell has a node where it was not told to have it.
  case unexpected(NodeID)
  /// The shell has nothing in a stack or in tabs, or has another kind of node there.
  case malformed(NodeID)

  var id: NodeID {
    switch self {
    case .unexpected(let id), .malformed(let id): id
    }
  }
}
