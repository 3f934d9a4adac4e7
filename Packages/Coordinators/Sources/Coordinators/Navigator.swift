internal import Foundation
public import Futures

/// Runs the coordinators of an app, and hands its navigation to the shell.
///
/// ```swift
/// let navigator = Navigator<Screen>(show: { navigation in shell.show(navigation) })
/// navigator.start("application") { ApplicationCoordinator($0) }
/// ```
///
/// - **One event, one update.** The shell receives the navigation after all reactions of coordinators to an event,
///   including children that end and start. It never receives a state in between.
/// - **A coordinator lives as long as its screens**, and those of coordinators below it. After the event that removed
///   the last screen, the coordinator is released, and its future has its result.
/// - **From leaf to root:** a child ends before its parent.
/// - **Late calls are dropped and reported:** the result of an ended child, an action on a screen that is not visible.
///
/// Each change takes time proportional to the number of nodes and coordinators, and as much for each coordinator that it ends or
/// restores.
@MainActor
public final class Navigator<Screen: NavigationScreen> {
  /// The current navigation; `nil` before the first coordinator has started.
  public private(set) var navigation: Navigation<Screen>?
  package var show: (Navigation<Screen>) -> Void
  package let work = PendingWork()
  private var shown: Navigation<Screen>?
  package var report: (CoordinatorReport) -> Void
  var running: [CoordinatorID: RunningCoordinator<Screen>] = [:]
  private var depth = 0
  private var notRestored: Set<CoordinatorID> = []
  private var root: CoordinatorID?

  /// Creates a navigator; it shows nothing before ``start(_:make:then:)``, also with a restored navigation.
  ///
  /// `show` is called after each event that changes the navigation, never while a coordinator is called. `report` receives calls
  /// that were ignored or refused; by default, they are written to the standard error.
  public init(
    restoring navigation: Navigation<Screen>? = nil,
    report: @escaping (CoordinatorReport) -> Void = CoordinatorReport.print,
    show: @escaping (Navigation<Screen>) -> Void = { _ in }
  ) {
    self.navigation = navigation
    self.show = show
    self.report = report
  }

  public var coordinators: Set<CoordinatorID> { Set(running.keys) }

  /// Starts the root coordinator.
  ///
  /// If a restored navigation contains screens of the root coordinator, its `start()` is not called.
  @discardableResult
  public func start<Root: Coordinator>(
    _ name: String, make: (CoordinatorContext<Screen, Root.Output>) -> Root,
    then: @escaping (CoordinatorResult<Root.Output>) -> Void = { _ in }
  ) -> Future<Root.Output, CoordinatorCancelled> where Root.Screen == Screen {
    transaction {
      let id = CoordinatorID(name)
      root = id
      // The screens of an ended coordinator with the same name do not belong to the new one.
      let hasScreens = running[id] == nil && owners.contains(id)
      let (future, content) = run(id, hasScreens: hasScreens, make: make, then: then)
      if let content {
        do throws(NavigationError) {
          if let root = navigation?.root.id {
            try navigation?.apply(.replace(root, with: content))
          } else {
            navigation = try Navigation(content, owner: id)
          }
        } catch { report(.refused(error)) }
      }
      return future
    }
  }

  /// Applies an intent of the app or of a shell, such as ``Navigation/backIntent``; a refusal is reported.
  public func apply(_ intent: Intent<Screen>) {
    transaction { change(intent) }
  }

  /// Opens the target of a link, with ``Coordinator/open(_:)`` of the root coordinator.
  ///
  /// ```swift
  /// navigator.open(try Screen.links.route(for: "boundaries://stories/12345"))
  /// ```
  public func open(_ screen: Screen) {
    transaction {
      guard let root, let coordinator = running[root], !coordinator.hasEnded else {
        return report(.notRunning(root))
      }
      coordinator.open(screen)
    }
  }

  /// Sends an action of the user to the coordinator of a screen.
  ///
  /// An action on a screen that is not visible is dropped and reported: after a tap that pushed another screen, a second tap is
  /// too late.
  public func send(_ action: Screen.Action, from id: NodeID) {
    guard let node = navigation?.front, node.id == id else { return report(.lateAction(id)) }
    transaction {
      guard let owner = node.owner else { return }
      running[owner].map { $0.receive(action, node) } ?? report(.notRestored(owner))
    }
  }

  /// Waits until all tracked work of coordinators and all fetches of visible screens have completed.
  ///
  /// Returns at once when the task is cancelled; the work continues.
  public func waitUntilIdle() async { await work.waitUntilIdle() }
}

extension Navigator {
  func transaction<Result>(_ body: () -> Result) -> Result {
    depth += 1
    let result = body()
    if depth == 1 { updateCoordinators() }
    depth -= 1
    if depth == 0, let navigation, navigation != shown {
      shown = navigation
      show(navigation)
    }
    return result
  }

  func change(_ intent: Intent<Screen>) {
    do throws(NavigationError) { try navigation?.apply(intent) } catch { report(.refused(error)) }
  }

  private var owners: Set<CoordinatorID> { navigation?.coordinators ?? [] }

  /// Releases coordinators without screens, from leaf to root, and restores missing ones, from root to leaf.
  ///
  /// One after another, because each may change the navigation and start others.
  private func updateCoordinators() {
    while navigation != nil {
      let owners = owners
      notRestored.formIntersection(owners)
      if let gone = running.keys.filter({ !owners.contains($0) }).max(by: CoordinatorID.isAbove) {
        running[gone].map(release)
      } else if let missing = owners.subtracting(running.keys).subtracting(notRestored).min(by: CoordinatorID.isAbove) {
        restore(missing)
      } else {
        return
      }
    }
  }

  /// Releases at once, so that a coordinator with the same name can start during the same event.
  private func releaseIfRemoved(_ id: CoordinatorID) {
    guard let existing = running[id], !existing.hasEnded, navigation != nil, !owners.contains(id),
      // The screens that a start() has shown so far are not in the navigation yet.
      !running.values.contains(where: { $0.hadScreens == nil && $0.id.contains(id) })
    else { return }
    releaseDescendants(of: id)
    // A descendant's end may have made the parent start a new coordinator with this name.
    if let same = running[id], same === existing { release(existing) }
  }

  private func restore(_ id: CoordinatorID) {
    let parent = id.parent.flatMap { running[$0] }
    let isRestored = parent.map { !$0.hasEnded && $0.restoreChild(id.name) } ?? false
    if !isRestored || running[id] == nil {
      notRestored.insert(id)
      report(.notRestored(id))
    }
  }

  private func releaseDescendants(of id: CoordinatorID) {
    while let deepest = running.values.filter({ $0.id != id && id.contains($0.id) })
      .max(by: { CoordinatorID.isAbove($0.id, $1.id) })
    { release(deepest) }
  }

  private func release(_ coordinator: RunningCoordinator<Screen>) {
    running[coordinator.id] = nil
    guard !coordinator.hasEnded else { return }
    if coordinator.hadScreens == false { report(.startedWithoutScreens(coordinator.id)) }
    coordinator.hasEnded = true
    coordinator.cancel()
  }

  /// The parent may start a coordinator with the same name in its callback.
  ///
  /// The screens are therefore removed before the callback, if the parent owns other nodes. Otherwise they are removed
  /// after it, and the screens that replaced them stay.
  func finish(_ coordinator: RunningCoordinator<Screen>, _ complete: () -> Void) {
    transaction {
      let id = coordinator.id
      coordinator.hasEnded = true
      releaseDescendants(of: id)
      // Collected after the descendants ended, because their parents may have shown screens in reaction.
      let screens = navigation?.nodes(of: id) ?? []
      var without = navigation
      let isAlone = (try? without?.remove(screens)) == nil || without?.hasNode(of: id.parent) != true
      if !isAlone { navigation = without }
      complete()
      if isAlone {
        do { try navigation?.remove(screens) } catch { report(.notReplaced(id)) }
      }
    }
  }

  /// The content is `nil` if the coordinator was restored or is running already.
  func run<Child: Coordinator>(
    _ id: CoordinatorID, hasScreens: Bool, make: (CoordinatorContext<Screen, Child.Output>) -> Child,
    then: @escaping (CoordinatorResult<Child.Output>) -> Void
  ) -> (future: Future<Child.Output, CoordinatorCancelled>, content: Node<Screen>?) where Child.Screen == Screen {
    releaseIfRemoved(id)
    if let existing = running[id], !existing.hasEnded {
      report(.startedTwice(id))
      return (Future(error: CoordinatorCancelled()), nil)
    }
    let context = CoordinatorContext<Screen, Child.Output>(id, self, then: then)
    let child = make(context)
    let coordinator = RunningCoordinator(child, context)
    context.running = coordinator
    running[id] = coordinator
    if hasScreens {
      coordinator.hadScreens = true
      return (context.future, nil)
    }
    let content = context.collect { child.start() }
    coordinator.hadScreens = content != nil
    if coordinator.hasEnded {
      if running[id] === coordinator { running[id] = nil }
      return (context.future, nil)
    }
    return (context.future, content)
  }
}

@MainActor
final class RunningCoordinator<Screen: NavigationScreen> {
  let id: CoordinatorID
  /// These closures are the only strong references of the library to the coordinator.
  let receive: (Screen.Action, Node<Screen>) -> Void
  let open: (Screen) -> Void
  let restoreChild: (String) -> Bool
  let cancel: () -> Void
  /// Whether its `start()` has shown content; `nil` before.
  var hadScreens: Bool?
  var hasEnded = false

  init<Child: Coordinator>(_ child: Child, _ context: CoordinatorContext<Screen, Child.Output>)
  where Child.Screen == Screen {
    id = context.id
    receive = { child.receive($0, from: $1) }
    open = { child.open($0) }
    restoreChild = { child.restoreChild($0) }
    cancel = { context.cancel() }
  }
}

/// A call that the ``Navigator`` ignored or refused.
public enum CoordinatorReport: Hashable, Sendable {
  case lateResult(CoordinatorID)
  case lateIntent(CoordinatorID)
  /// An action on a screen that is no longer visible, for example by a double tap.
  case lateAction(NodeID)
  /// The coordinator has no `receive(_:)` for the type of the action.
  case notReceived(CoordinatorID, action: String)
  case startedTwice(CoordinatorID)
  case startedWithoutScreens(CoordinatorID)
  /// The coordinator presented two modals in its `start()`; the second one was dropped with its coordinators.
  case presentedTwice(CoordinatorID)
  /// The coordinator has ended, but its screens cannot be removed, because they were not replaced.
  case notReplaced(CoordinatorID)
  /// Nodes belong to a coordinator that no parent restored; they are shown, and actions on them are dropped.
  case notRestored(CoordinatorID)
  case refused(NavigationError)
  /// A link was opened before the root coordinator started, or after it ended.
  case notRunning(CoordinatorID?)
}

extension CoordinatorReport: CustomStringConvertible {
  public var description: String {
    switch self {
    case .lateResult(let id): "Dropped a result of '\(id)': it has already ended, or its screens were removed."
    case .lateIntent(let id): "Ignored a navigation change by '\(id)': it has ended. Stop its work when it ends."
    case .lateAction(let id): "Dropped an action on \(id): its screen is not visible."
    case .notReceived(let id, let action):
      "Dropped an action of '\(id)': its coordinator has no receive(_:) for the type \(action). Implement it."
    case .startedTwice(let id):
      "Cannot start '\(id)': it is already running. Give children that run at the same time different names."
    case .startedWithoutScreens(let id): "Ended '\(id)': it showed nothing in its start(). Push a screen there."
    case .presentedTwice(let id):
      "Dropped the second modal that '\(id)' presented in its start(). Present it over the first, or after its dismissal."
    case .notReplaced(let id):
      "Cannot remove the screens of '\(id)', which has ended: they are the root or the content of a tab. Replace them in `then`."
    case .notRestored(let id):
      "No coordinator '\(id)' is running for its nodes. Create it in the restoreChild(_:) of its parent."
    case .refused(let error): "\(error)"
    case .notRunning(let id):
      "Cannot open the link: the root coordinator \(id.map { "'\($0)' has ended" } ?? "has not started"). Start it first."
    }
  }
}

extension CoordinatorReport {
  /// Writes a report to the standard error.
  public static func print(_ report: CoordinatorReport) {
    FileHandle.standardError.write(Data("Coordinators: \(report)\n".utf8))
  }
}
