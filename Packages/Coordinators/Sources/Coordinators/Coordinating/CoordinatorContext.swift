public import Futures

/// The connection of a coordinator to the navigation: shows its screens, starts its children and ends it.
///
/// All screens that it shows belong to the coordinator. After the coordinator has ended, the context ignores and reports
/// every call.
@MainActor
public final class CoordinatorContext<Screen: NavigationScreen, Output: Sendable> {
  public let id: CoordinatorID
  private weak var navigator: Navigator<Screen>?
  private let promise = Promise<Output, CoordinatorCancelled>()
  private let then: (CoordinatorResult<Output>) -> Void
  /// The content that `start()` has shown so far; `nil` outside of `start()`.
  private var collected: (elements: [Blueprint<Screen>], modal: Blueprint<Screen>?)?

  init(_ id: CoordinatorID, _ navigator: Navigator<Screen>, then: @escaping (CoordinatorResult<Output>) -> Void) {
    self.id = id
    self.navigator = navigator
    self.then = then
    promise.onCancel { [weak self] in
      immediateOnMainExecutionContext {
        MainActor.assumeIsolated { self?.withdraw() }
      }
    }
  }

  /// The result of the coordinator.
  ///
  /// Cancelling it ends the coordinator and removes its screens; the parent's `then` receives `.cancelled`. If its screens are
  /// the root or the content of a tab, they stay until the parent's `then` replaces them.
  public var future: Future<Output, CoordinatorCancelled> { promise.future }

  public var navigation: Navigation<Screen>? { navigator?.navigation }

  /// Pushes onto the coordinator's stack.
  ///
  /// In `start()` the coordinator has no stack yet: the blueprints are collected, and shown when `start()` returns.
  public func push(_ blueprint: Blueprint<Screen>) {
    if collected != nil { return amend { $0.elements.append(self.owned(blueprint)) } }
    change { navigation in navigation.stack(of: self.id).map { .push(self.owned(blueprint), onto: $0) } }
  }

  public func push(_ screen: Screen) { push(.screen(screen)) }

  /// Pops the top of the coordinator's stack.
  public func pop() {
    change { navigation in navigation.stack(of: self.id).map { .pop(from: $0) } }
  }

  /// Presents a modal over the coordinator's stack, or over its topmost node outside of a stack.
  ///
  /// In `start()`, the modal covers all screens that the coordinator shows there.
  public func present(_ blueprint: Blueprint<Screen>) {
    if collected != nil {
      return amend { collected in
        if collected.modal != nil { return self.navigator?.report(.presentedTwice(self.id)) ?? () }
        collected.modal = self.owned(blueprint)
      }
    }
    change { navigation in
      (navigation.stack(of: self.id) ?? navigation.topmost(of: self.id)).map {
        .present(self.owned(blueprint), over: $0)
      }
    }
  }

  public func present(_ screen: Screen) { present(.screen(screen)) }

  /// Removes everything above the coordinator's own screens, across modals and tabs.
  public func unwind() {
    change { _ in .unwind(to: .coordinator(self.id)) }
  }

  /// Applies an intent; a refusal is reported.
  ///
  /// A blueprint in the intent inherits the owner of its parent node, unless the blueprint names an owner.
  public func apply(_ intent: Intent<Screen>) {
    change { _ in intent }
  }

  /// Ends the coordinator with a result, and removes its screens.
  ///
  /// Its descendants end first, as cancelled. Then the parent's `then` receives the result, and may replace the screens. A
  /// second result is dropped and reported, and so is a result after the screens were removed.
  public func finish(_ output: Output) {
    guard let navigator else { return }
    navigator.finish(id, of: self) {
      // The future may have been cancelled on another thread: then the parent receives the cancellation too.
      then(promise.trySuccess(output) ? .finished(output) : .cancelled)
    }
  }

  /// Calls `then` once, on the main actor, with the result of a future, which it returns.
  ///
  /// The future counts as work in flight: ``Navigator/waitUntilIdle()`` waits for it, as scripts and web pages do.
  /// `then` is never called if the navigator was released before. Cancel the future in the coordinator's `deinit`
  /// unless other listeners need it.
  @discardableResult
  public func track<Value, Failure>(
    _ future: Future<Value, Failure>, then: @escaping @MainActor @Sendable (Result<Value, Failure>) -> Void = { _ in }
  ) -> Future<Value, Failure> {
    navigator?.work.track(future, then: then) ?? future
  }

  /// Starts a child and returns its screens, for example as the content of a tab.
  ///
  /// The caller must add them to the navigation. `then` receives the result when the child ends, in the same event: its
  /// changes are part of the same update. Returns `nil` when a child with this name is running, or it showed nothing.
  public func embedChild<Child: Coordinator>(
    _ name: String, make: (CoordinatorContext<Screen, Child.Output>) -> Child,
    then: @escaping (CoordinatorResult<Child.Output>) -> Void = { _ in }
  ) -> Blueprint<Screen>? where Child.Screen == Screen {
    whileRunning { navigator in navigator.run(self.id.child(name), hasScreens: false, make: make, then: then).content }
      ?? nil
  }

  /// Starts a child, and returns its ``future``.
  ///
  /// A second child with the name of a running one is not started. `then` receives the result in the event that ends
  /// the child: its changes are part of the same update.
  @discardableResult
  public func startChild<Child: Coordinator>(
    _ name: String, _ placement: CoordinatorPlacement = .push,
    make: (CoordinatorContext<Screen, Child.Output>) -> Child,
    then: @escaping (CoordinatorResult<Child.Output>) -> Void = { _ in }
  ) -> Future<Child.Output, CoordinatorCancelled> where Child.Screen == Screen {
    let future = whileRunning { navigator in
      let (future, content) = navigator.run(self.id.child(name), hasScreens: false, make: make, then: then)
      if let content {
        self.place(content, placement, navigator)
        navigator.recordPlacement(of: self.id.child(name))
      }
      return future
    }
    return future ?? Future(error: CoordinatorCancelled())
  }

  /// Creates a child whose screens exist already; see ``Coordinator/restoreChild(_:)``.
  @discardableResult
  public func restoreChild<Child: Coordinator>(
    _ name: String, make: (CoordinatorContext<Screen, Child.Output>) -> Child,
    then: @escaping (CoordinatorResult<Child.Output>) -> Void = { _ in }
  ) -> Bool where Child.Screen == Screen {
    whileRunning { navigator in
      _ = navigator.run(self.id.child(name), hasScreens: true, make: make, then: then)
      return true
    } ?? false
  }
}

/// The position of the screens of a child.
public enum CoordinatorPlacement: Hashable, Sendable {
  /// On top of the parent's stack.
  case push
  /// In a modal over the parent's stack.
  case modal
  /// In place of the whole navigation.
  case root
}

extension CoordinatorContext {
  func cancel() {
    promise.failure(CoordinatorCancelled())
    then(.cancelled)
  }

  func collect(_ start: () -> Void) -> Blueprint<Screen>? {
    collected = ([], nil)
    start()
    let (elements, modal) = collected ?? ([], nil)
    collected = nil
    guard let only = elements.first else { return nil }
    let isWhole = elements.count == 1 && only.isContainer && (modal == nil || only.modal == nil)
    var content = isWhole ? only : Blueprint.stack(elements).owned(by: id)
    if let modal { content.modal = modal }
    return content
  }

  private func amend(_ body: (inout (elements: [Blueprint<Screen>], modal: Blueprint<Screen>?)) -> Void) {
    _ = whileRunning { _ in
      guard var collected else { return }
      body(&collected)
      self.collected = collected
    }
  }

  private func owned(_ blueprint: Blueprint<Screen>) -> Blueprint<Screen> {
    blueprint.owner == nil ? blueprint.owned(by: id) : blueprint
  }

  private func withdraw() {
    guard let navigator, let running = navigator.running[id], running.has(self), !running.hasEnded else { return }
    navigator.finish(id, of: self) { cancel() }
  }

  private func whileRunning<Value>(_ body: (Navigator<Screen>) -> Value) -> Value? {
    // Compares the context, because a later coordinator may have the same name.
    guard let navigator, let running = navigator.running[id], running.has(self), !running.hasEnded else {
      navigator?.report(.lateIntent(id))
      return nil
    }
    return navigator.transaction { body(navigator) }
  }

  private func change(_ intent: (Navigation<Screen>) -> Intent<Screen>?) {
    _ = whileRunning { navigator in
      guard let navigation = navigator.navigation, let intent = intent(navigation) else {
        return navigator.report(.refused(.noSuchCoordinator(id)))
      }
      navigator.change(intent)
    }
  }

  private func place(_ content: Blueprint<Screen>, _ placement: CoordinatorPlacement, _ navigator: Navigator<Screen>) {
    switch placement {
    case .root:
      if collected != nil {
        collected = ([content], nil)
      } else if let root = navigator.navigation?.root.id {
        navigator.change(.replace(root, with: content))
      }
    case .push:
      // Pushes the elements of a stack one by one, to avoid a stack within a stack.
      for element in content.elements { push(element) }
    case .modal: present(content)
    }
  }
}

extension Blueprint {
  /// Whether it is a stack or tabs, so that it needs no stack around it.
  fileprivate var isContainer: Bool {
    if case .screen = content { false } else { true }
  }

  fileprivate var elements: [Blueprint] {
    guard case .stack(var elements) = content, let last = elements.last else { return [self] }
    // The last element can present only one of the two modals.
    if modal != nil, last.modal != nil { return [self] }
    if let modal { elements[elements.count - 1].modal = modal }
    return elements.map { element in owner.map { element.owner == nil ? element.owned(by: $0) : element } ?? element }
  }
}

extension Navigation {
  func stack(of owner: CoordinatorID) -> NodeID? {
    guard let id = topmost(of: owner), let path = path(to: id) else { return nil }
    for count in stride(from: path.count, through: 0, by: -1) {
      let node = root.node(at: path[..<count])
      if node.kind == .stack { return node.id }
      // A stack that presents the coordinator's screens belongs to another coordinator.
      if count > 0, path[count - 1] == .modal { return nil }
    }
    return nil
  }
}
