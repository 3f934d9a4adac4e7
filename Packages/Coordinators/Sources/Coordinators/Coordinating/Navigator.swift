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
/// - **Every event ends:** coordinators that start each other without end are stopped at ``maximumStarts``.
/// - **Late calls are dropped and reported:** the result of an ended child, an action on a screen that is not visible.
///
/// Each change of the navigation takes time proportional to the number of nodes and coordinators.
@MainActor
public final class Navigator<Screen: NavigationScreen> {
  /// The current navigation; `nil` before the first coordinator has started.
  public private(set) var navigation: Navigation<Screen>? { didSet { knownOwners = nil } }
  package var show: (Navigation<Screen>) -> Void
  package let work = PendingWork()
  private var shown: Navigation<Screen>?
  package let report: (CoordinatorReport) -> Void
  var running: [CoordinatorID: RunningCoordinator<Screen>] = [:]
  private var depth = 0
  private var notRestored: Set<CoordinatorID> = []
  private var knownOwners: Set<CoordinatorID>?
  /// Tests check it, because traversals dominate the time.
  private(set) var traversals = 0
  private var starts = 0

  /// The maximum number of coordinators that start in reaction to one event, not counting restored ones.
  ///
  /// Beyond it, a start is refused and reported as ``CoordinatorReport/startedTooOften(_:limit:)``.
  public static var maximumStarts: Int { 256 }

  /// Creates a navigator that shows nothing yet.
  ///
  /// With a restored navigation, ``start(_:make:then:)`` creates its root coordinator, and each parent creates its
  /// children in ``Coordinator/restoreChild(_:)``. `show` is called on the main actor after each event that changes the
  /// navigation, never while a coordinator is called.
  public init(
    restoring navigation: Navigation<Screen>? = nil, report: @escaping (CoordinatorReport) -> Void = { _ in },
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
      // The screens of an ended coordinator with the same name do not belong to the new one.
      let hasScreens = running[id] == nil && owners.contains(id)
      let (future, content) = run(id, hasScreens: hasScreens, make: make, then: then)
      if let content {
        do throws(NavigationError) {
          if navigation == nil {
            navigation = try Navigation(content, owner: id)
          } else {
            try replaceRoot(with: content)
          }
        } catch { report(.refused(error)) }
      }
      return future
    }
  }

  /// Applies an intent of the app or of a shell, for example the target of a link, or ``Navigation/backIntent``.
  ///
  /// Refusals are reported.
  public func apply(_ intent: Intent<Screen>) {
    transaction { change(intent) }
  }

  /// The coordinators that own screens, but that were neither started nor restored, in the order of their paths.
  ///
  /// If a coordinator and its ancestor are both orphans, only the ancestor is listed. Orphans come from a saved navigation, for
  /// example of an earlier version, or from the target of a link. Their screens are shown, but ignore all actions.
  public var orphans: [CoordinatorID] {
    notRestored.filter { id in !(id.parent.map(notRestored.contains) ?? false) }.sorted { $0.path < $1.path }
  }

  /// Removes the screens of all ``orphans``, in one event.
  ///
  /// - Returns: Whether they were removed. If they own the root or the content of a tab, none is removed, and the
  ///   refusal is reported.
  @discardableResult
  public func removeOrphans() -> Bool {
    transaction {
      var nodes: Set<NodeID> = []
      navigation?.root.forEach { if notRestored.contains($0.owner) { nodes.insert($0.id) } }
      do throws(NavigationError) {
        if !nodes.isEmpty { try navigation?.remove(nodes) }
        return true
      } catch {
        report(.refused(error))
        return false
      }
    }
  }

  /// Sends an action of the user to the coordinator of a screen.
  ///
  /// An action on a screen that is not visible is dropped and reported: after a tap that pushed another screen, a second tap is
  /// too late.
  public func send(_ action: Screen.Action, from id: NodeID) {
    guard let node = navigation?.front, node.id == id else { return report(.lateAction(id)) }
    transaction {
      guard let owner = running[node.owner] else { return report(.notRestored(node.owner)) }
      owner.receive(action, node)
    }
  }

  /// Waits until all tracked work of coordinators and all fetches of visible screens have completed.
  ///
  /// Returns at once when the task is cancelled; the work continues.
  public func waitUntilIdle() async { await work.waitUntilIdle() }

  /// Replaces the navigation after the user changed a container of the shell itself.
  package func replaceNavigation(with navigation: Navigation<Screen>) {
    transaction { self.navigation = navigation }
  }
}

extension Navigator {
  func transaction<Result>(_ body: () -> Result) -> Result {
    if depth == 0 { starts = 0 }
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

  private func replaceRoot(with content: Blueprint<Screen>) throws(NavigationError) {
    guard let root = navigation?.root.id else { return }
    try navigation?.apply(.replace(root, with: content))
  }

  private var owners: Set<CoordinatorID> {
    if let knownOwners { return knownOwners }
    traversals += 1
    let owners = navigation?.coordinators ?? []
    knownOwners = owners
    return owners
  }

  /// Releases coordinators without screens, from leaf to root, and restores missing ones, from root to leaf.
  private func updateCoordinators() {
    while navigation != nil {
      releaseAll { !owners.contains($0.id) }
      if !restoreMissing() { break }
    }
    notRestored.formIntersection(owners)
    for coordinator in running.values { coordinator.isPlaced = true }
    let stuck = running.values.filter { $0.hasEnded && !$0.isReported }
    for coordinator in stuck.sorted(by: RunningCoordinator.isAbove) {
      coordinator.isReported = true
      report(.notReplaced(coordinator.id))
    }
  }

  func recordPlacement(of id: CoordinatorID) {
    if owners.contains(id) { running[id]?.isPlaced = true }
  }

  /// Releases at once, so that a coordinator with the same name can start during the same event.
  private func releaseIfRemoved(_ id: CoordinatorID) {
    guard let existing = running[id], !existing.hasEnded, existing.isPlaced, navigation != nil, !owners.contains(id)
    else { return }
    releaseAll { $0.id != id && id.contains($0.id) }
    // A descendant's end may have made the parent start a new coordinator with this name.
    if let same = running[id], same === existing { release(existing) }
  }

  /// Returns whether more coordinators may be missing, or may have lost their screens.
  private func restoreMissing() -> Bool {
    let missing = owners.filter { running[$0] == nil && !notRestored.contains($0) }
    let ordered = missing.sorted { ($0.path.utf8.count, $0.path) < ($1.path.utf8.count, $1.path) }
    for id in ordered where running[id] == nil {
      let parent = id.parent.flatMap { running[$0] }
      let isRestored = parent.map { !$0.hasEnded && $0.restoreChild(id.name) } ?? false
      if !isRestored || running[id] == nil {
        notRestored.insert(id)
        report(.notRestored(id))
      }
      // The restored coordinator changed the navigation, so others may be missing now.
      if knownOwners == nil { return true }
    }
    return !missing.isEmpty
  }

  private func releaseAll(where mustEnd: (RunningCoordinator<Screen>) -> Bool) {
    while true {
      let ending = running.values.filter(mustEnd).sorted { RunningCoordinator.isAbove($1, $0) }
      if ending.isEmpty { return }
      // Reading `owners` caches it, so that `knownOwners == nil` below shows a change.
      let (before, _) = (starts, owners)
      for coordinator in ending where running[coordinator.id] === coordinator {
        release(coordinator)
        // A callback started a coordinator or changed the navigation, so the list must be computed again.
        if starts != before || knownOwners == nil { break }
      }
    }
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
  func finish(_ id: CoordinatorID, of context: AnyObject, _ complete: () -> Void) {
    transaction {
      guard let coordinator = running[id], coordinator.has(context), !coordinator.hasEnded else {
        return report(.lateResult(id))
      }
      coordinator.hasEnded = true
      releaseAll { $0.id != id && id.contains($0.id) }
      // Collected after the descendants ended, because their parents may have shown screens in reaction.
      let screens = navigation?.nodes(of: id) ?? []
      var without = navigation
      let isAlone = (try? without?.remove(screens)) == nil || without?.hasNode(of: id.parent) != true
      if !isAlone { navigation = without }
      complete()
      // Refused when nothing replaced the screens; reported at the end of the event.
      if isAlone { try? navigation?.remove(screens) }
    }
  }

  /// The content is `nil` if the coordinator was restored or is running already.
  func run<Child: Coordinator>(
    _ id: CoordinatorID, hasScreens: Bool, make: (CoordinatorContext<Screen, Child.Output>) -> Child,
    then: @escaping (CoordinatorResult<Child.Output>) -> Void
  ) -> (future: Future<Child.Output, CoordinatorCancelled>, content: Blueprint<Screen>?) where Child.Screen == Screen {
    releaseIfRemoved(id)
    if let existing = running[id], !existing.hasEnded {
      report(.startedTwice(id))
      let future = existing.future as? Future<Child.Output, CoordinatorCancelled>
      return (future ?? Future(error: CoordinatorCancelled()), nil)
    }
    starts += 1
    if starts > Self.maximumStarts, starts - owners.count > Self.maximumStarts {
      report(.startedTooOften(id, limit: Self.maximumStarts))
      return (Future(error: CoordinatorCancelled()), nil)
    }
    let context = CoordinatorContext<Screen, Child.Output>(id, self, then: then)
    let child = make(context)
    let coordinator = RunningCoordinator(child, context)
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
