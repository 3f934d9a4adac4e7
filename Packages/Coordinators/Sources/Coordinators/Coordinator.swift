public import Futures

/// A screen of an app, as a value.
///
/// ```swift
/// enum Screen: NavigationScreen {
///   case words, word(String)
///   enum Action: Sendable { case select(String), logOut }
/// }
/// ```
public protocol NavigationScreen: Hashable, Sendable {
  /// An action of the user on a screen; by default, the screen to open.
  associatedtype Action: Sendable = Self
}

/// Decides which screen comes next, so that the screens do not depend on each other.
///
/// ```swift
/// final class WordsCoordinator: Coordinator {
///   let context: CoordinatorContext<Screen, Void>
///   init(_ context: CoordinatorContext<Screen, Void>) { self.context = context }
///
///   func start() { context.push(.words) }
///
///   func receive(_ action: Screen.Action) {
///     switch action {
///     case .select(let word): context.push(.word(word))
///     case .logOut: context.finish(())
///     }
///   }
/// }
/// ```
///
/// The ``Navigator`` retains a coordinator exactly as long as it, or a coordinator below it, has a screen in the navigation.
///
/// Source: *Boundaries in Practice*.
@MainActor
public protocol Coordinator<Screen, Output>: AnyObject {
  associatedtype Screen: NavigationScreen
  associatedtype Output: Sendable

  /// The place of the coordinator in the navigation, as passed to its initialiser.
  var context: CoordinatorContext<Screen, Output> { get }

  /// Shows the first screens, at least one.
  ///
  /// The ``Navigator`` calls it once, unless a link or a saved state has already shown the screens.
  func start()

  /// Opens the target of a link, for ``Navigator/open(_:)``; called on the root coordinator.
  ///
  /// By default, a screen that is in the navigation becomes visible, and another one is pushed. Implement it where a link
  /// needs other screens below it, or a log-in first.
  func open(_ screen: Screen)

  /// Receives an action of the user on one of its screens, while that screen is visible.
  func receive(_ action: Screen.Action)

  /// Receives an action with the node of the screen.
  ///
  /// Implement it instead of ``receive(_:)`` to update the screen of the node.
  func receive(_ action: Screen.Action, from node: Node<Screen>)

  /// Creates a child whose screens exist already, with ``CoordinatorContext/restoreChild(_:make:then:)``.
  ///
  /// Called when a link, a saved state or this coordinator has shown screens of a child that is not running. Show tabs with a
  /// coordinator each in this way:
  ///
  /// ```swift
  /// func start() {
  ///   let words = Node<Screen>.stack([.screen(.words)]).owned(by: context.id.child("words"))
  ///   let phrases = Node<Screen>.stack([.screen(.phrases)]).owned(by: context.id.child("phrases"))
  ///   context.push(.tabs([.tab("words", words), .tab("phrases", phrases)]))
  /// }
  ///
  /// func restoreChild(_ name: String) -> Bool {
  ///   switch name {
  ///   case "words": context.restoreChild(name, make: WordsCoordinator.init)
  ///   case "phrases": context.restoreChild(name, make: PhrasesCoordinator.init)
  ///   default: false
  ///   }
  /// }
  /// ```
  func restoreChild(_ name: String) -> Bool
}

extension Coordinator {
  public func open(_ screen: Screen) {
    if let node = context.navigation?.node(showing: screen) {
      context.apply(.unwind(to: .node(node)))
    } else {
      context.push(screen)
    }
  }

  /// Reports the action.
  public func receive(_ action: Screen.Action) { context.reportAction("\(Screen.Action.self)") }

  public func receive(_ action: Screen.Action, from node: Node<Screen>) { receive(action) }

  public func restoreChild(_ name: String) -> Bool { false }
}

/// The end of a child, as reported to its parent.
public enum CoordinatorResult<Output: Sendable>: Sendable {
  case finished(Output)
  /// The child's screens were removed, for example by a swipe back, the removal of a tab or a log-out.
  case cancelled
}

extension CoordinatorResult: Equatable where Output: Equatable {}

/// The error of a coordinator's future when its screens were removed before it had a result.
public struct CoordinatorCancelled: Error, Hashable, CancellationRepresentable, CustomStringConvertible {
  public init() {}

  public static var cancellation: CoordinatorCancelled { CoordinatorCancelled() }

  public var description: String {
    "The coordinator ended without a result, for example because its screens were removed."
  }
}

/// Shows the screens of a coordinator, starts its children and ends it.
///
/// After the coordinator has ended, the context ignores and reports every call.
@MainActor
public final class CoordinatorContext<Screen: NavigationScreen, Output: Sendable> {
  public let id: CoordinatorID
  private weak var navigator: Navigator<Screen>?
  /// `nil` before the coordinator was made, and after it was released.
  weak var running: RunningCoordinator<Screen>?
  private let promise = Promise<Output, CoordinatorCancelled>()
  private let then: (CoordinatorResult<Output>) -> Void
  /// The content that `start()` has shown so far; `nil` outside of `start()`.
  private var collected: (elements: [Node<Screen>], modal: Node<Screen>?)?

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
  /// In `start()` the coordinator has no stack yet: the nodes are collected, and shown when `start()` returns.
  public func push(_ node: Node<Screen>) {
    if collected != nil { return amend { $0.elements.append(self.owned(node)) } }
    change { navigation in navigation.stack(of: self.id).map { .push(self.owned(node), onto: $0) } }
  }

  public func push(_ screen: Screen) { push(.screen(screen)) }

  public func pop() {
    change { navigation in navigation.stack(of: self.id).map { .pop(from: $0) } }
  }

  /// Pops all elements of the coordinator's stack above the bottom element, with their modals.
  public func popToRoot() {
    change { navigation in navigation.stack(of: self.id).map { .popToRoot(of: $0) } }
  }

  /// Sets the elements of the coordinator's stack, and keeps those that match; see ``Intent/setStack(_:of:)``.
  public func setStack(_ nodes: [Node<Screen>]) {
    change { navigation in navigation.stack(of: self.id).map { .setStack(nodes.map(self.owned), of: $0) } }
  }

  public func setStack(_ screens: [Screen]) { setStack(screens.map { .screen($0) }) }

  /// Presents a modal over the coordinator's stack, or over its topmost node outside of a stack.
  ///
  /// In `start()`, the modal covers all screens that the coordinator shows there.
  public func present(_ node: Node<Screen>) {
    if collected != nil {
      return amend { collected in
        if collected.modal != nil { return self.navigator?.report(.presentedTwice(self.id)) ?? () }
        collected.modal = self.owned(node)
      }
    }
    change { navigation in
      (navigation.stack(of: self.id) ?? navigation.topmost(of: self.id)).map {
        .present(self.owned(node), over: $0)
      }
    }
  }

  public func present(_ screen: Screen) { present(.screen(screen)) }

  /// Removes everything above the coordinator's own screens, across modals and tabs.
  public func unwind() {
    change { _ in .unwind(to: .coordinator(self.id)) }
  }

  /// Applies an intent.
  ///
  /// A node in the intent inherits the owner of its parent node, unless it names an owner.
  public func apply(_ intent: Intent<Screen>) {
    change { _ in intent }
  }

  /// Ends the coordinator with a result, and removes its screens.
  ///
  /// Its descendants end first, as cancelled. Then the parent's `then` receives the result, and may replace the screens. A
  /// second result is dropped and reported, and so is a result after the screens were removed.
  public func finish(_ output: Output) {
    guard let navigator else { return }
    guard let running, !running.hasEnded else { return navigator.report(.lateResult(id)) }
    navigator.finish(running) {
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

  /// Starts a child, and returns its ``future``.
  ///
  /// A second child with the name of a running one is not started. `then` receives the result in the event that ends the child.
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

  func collect(_ start: () -> Void) -> Node<Screen>? {
    collected = ([], nil)
    start()
    let (elements, modal) = collected ?? ([], nil)
    collected = nil
    guard let only = elements.first else { return nil }
    let isWhole = elements.count == 1 && only.kind != .screen && (modal == nil || only.modal == nil)
    var content = isWhole ? only : Node.stack(elements).owned(by: id)
    if let modal { content.modal = modal }
    return content
  }

  private func amend(_ body: (inout (elements: [Node<Screen>], modal: Node<Screen>?)) -> Void) {
    _ = whileRunning { _ in
      guard var collected else { return }
      body(&collected)
      self.collected = collected
    }
  }

  private func owned(_ node: Node<Screen>) -> Node<Screen> {
    node.owner == nil ? node.owned(by: id) : node
  }

  private func withdraw() {
    guard let running, !running.hasEnded else { return }
    navigator?.finish(running) { cancel() }
  }

  func reportAction(_ type: String) { navigator?.report(.notReceived(id, action: type)) }

  private func whileRunning<Value>(_ body: (Navigator<Screen>) -> Value) -> Value? {
    guard let navigator, let running, !running.hasEnded else {
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

  private func place(_ content: Node<Screen>, _ placement: CoordinatorPlacement, _ navigator: Navigator<Screen>) {
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

extension Node {
  fileprivate var elements: [Node] {
    guard case .stack(var elements) = content, let last = elements.last else { return [self] }
    // The last element can present only one of the two modals.
    if modal != nil, last.modal != nil { return [self] }
    if let modal { elements[elements.count - 1].modal = modal }
    return elements.map { element in owner.map { element.owner == nil ? element.owned(by: $0) : element } ?? element }
  }
}

extension Navigation {
  func stack(of owner: CoordinatorID) -> NodeID? {
    guard let id = topmost(of: owner), let path = root.path(where: { $0.id == id }) else { return nil }
    for (index, node) in path.enumerated().reversed() {
      if node.kind == .stack { return node.id }
      // A stack that presents the coordinator's screens belongs to another coordinator.
      if index > 0, path[index - 1].modal?.id == node.id { return nil }
    }
    return nil
  }
}
