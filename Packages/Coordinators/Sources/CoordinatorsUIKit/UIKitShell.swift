#if canImport(UIKit)
  @_exported public import Coordinators
  public import UIKit

  /// A shell of UIKit's own containers: a stack is a `UINavigationController`, tabs are a `UITabBarController`, a modal
  /// is presented.
  ///
  /// ```swift
  /// let shell = UIKitShell<Screen>(window: window, make: { node in viewController(for: node) }, update: { $0.show($1) })
  /// let navigator = Navigator<Screen>(show: shell.show)
  /// shell.navigator = navigator
  /// window.makeKeyAndVisible()
  /// navigator.start("application") { ApplicationCoordinator($0) }
  /// ```
  ///
  /// It performs the smallest batch of changes that brings the containers to the new navigation, without intermediate
  /// screens, one batch at a time. A change by the user (a swipe back, another tab, a modal pulled down) is read from
  /// the containers, also in the middle of a batch, and reported to the navigator.
  ///
  /// The next batch begins when all transitions have ended. UIKit cannot present over a controller outside of the
  /// window, for example in a tab that is not selected. The shell presents such a modal later, and continues with other
  /// changes.
  ///
  /// Experimental: it was compiled against the stubs of UIKit in this repository, and run with them on Linux. It was
  /// neither compiled against Apple's SDK nor run on a device.
  ///
  /// Source: *Boundaries in Practice*.
  @MainActor
  public final class UIKitShell<Screen: NavigationScreen> {
    /// The navigator that receives the changes by the user; not retained.
    public var navigator: Navigator<Screen>? {
      get { driver.navigator }
      set { driver.navigator = newValue }
    }
    private let driver = ShellDriver<Screen>()
    private let window: UIWindow
    private let make: (Node<Screen>) -> UIViewController
    private let update: (UIViewController, Screen) -> Void
    private let isAnimated: Bool
    private let delegate = ContainerDelegate()
    private var controllers: [NodeID: UIViewController] = [:]
    private var identities: [ObjectIdentifier: NodeID] = [:]
    private var root: NodeID?
    private var modals: [NodeID: NodeID] = [:]
    /// The nodes whose modals are not presented yet, because UIKit would refuse it.
    private var unpresented: Set<NodeID> = []
    /// The numbers of the running transitions; the batch in flight waits for them.
    private var transitions: Set<Int> = []
    private var lastTransition = 0
    private var batchInFlight: Int?
    private var isPerforming = false

    /// Creates a shell that shows nothing yet.
    ///
    /// `make` makes the view controller of a screen, and is called once for each node with a screen. `update` shows
    /// another screen in such a view controller.
    public init(
      window: UIWindow, isAnimated: Bool = true, make: @escaping (Node<Screen>) -> UIViewController,
      update: @escaping (UIViewController, Screen) -> Void
    ) {
      self.window = window
      self.isAnimated = isAnimated
      self.make = make
      self.update = update
      delegate.changed = { [weak self] in self?.observe() }
      driver.perform = { [weak self] in self?.perform($0) }
    }

    /// Shows a navigation now, or after the running transitions.
    public func show(_ navigation: Navigation<Screen>) { driver.show(navigation) }

    private func perform(_ batch: Batch<Screen>) {
      batchInFlight = batch.number
      isPerforming = true
      for command in batch.commands { perform(command) }
      isPerforming = false
      proceed()
    }

    package var state: ShellState? {
      root.flatMap { controllers[$0] }.flatMap { state(of: $0) }
    }
  }

  extension UIKitShell {
    private func perform(_ command: NavigationCommand<Screen>) {
      switch command {
      case .setRoot(let node):
        window.rootViewController?.dismiss(animated: false)
        (controllers, identities, modals, unpresented, transitions) = ([:], [:], [:], [], [])
        root = node.id
        window.rootViewController = build(node)
        presentModals(in: node)
      case .push(let nodes, let id):
        guard let stack = navigationController(id) else { return }
        stack.setViewControllers(stack.viewControllers + nodes.map(buildElement), animated: isAnimated)
        awaitTransition(of: stack)
        for node in nodes { presentModals(in: node) }
      case .pop(let element, let id):
        guard let stack = navigationController(id), let controller = member(element, of: stack.viewControllers) else {
          return
        }
        _ = stack.popToViewController(controller, animated: isAnimated)
        awaitTransition(of: stack)
      case .setStack(let elements, let id):
        guard let stack = navigationController(id) else { return }
        let kept = stack.viewControllers
        let new = elements.compactMap { element in
          switch element {
          case .new(let node): buildElement(node)
          case .kept(let id): member(id, of: kept)
          }
        }
        if !new.isEmpty { stack.setViewControllers(new, animated: isAnimated) }
        awaitTransition(of: stack)
        for case .new(let node) in elements { presentModals(in: node) }
      case .select(let element, let id):
        guard let tabs = tabBarController(id), let controller = member(element, of: tabs.viewControllers ?? []) else {
          return
        }
        tabs.selectedViewController = controller
      case .setTabs(let elements, let selected, let id):
        guard let tabs = tabBarController(id) else { return }
        let kept = tabs.viewControllers ?? []
        let new = elements.compactMap { tab in
          switch tab.element {
          case .new(let node): buildTab(node, tab.key)
          case .kept(let id): member(id, of: kept)
          }
        }
        tabs.setViewControllers(new, animated: isAnimated)
        if new.indices.contains(selected) { tabs.selectedIndex = selected }
        for case .new(let node) in elements.map(\.element) { presentModals(in: node) }
      case .present(let node, let id):
        dismissModal(of: id)
        present(node, over: id)
      case .dismiss(let id):
        dismissModal(of: id)
      case .update(let id, let screen):
        if let controller = controllers[id] { update(controller, screen) }
      }
    }

    private func build(_ node: Node<Screen>) -> UIViewController {
      let controller: UIViewController
      switch node.content {
      case .screen: controller = make(node)
      case .stack(let elements):
        let stack = UINavigationController()
        stack.setViewControllers(elements.map(buildElement), animated: false)
        stack.delegate = delegate
        controller = stack
      case .tabs(let elements, let selected):
        let tabs = UITabBarController()
        tabs.setViewControllers(elements.map { buildTab($0.node, $0.key) }, animated: false)
        tabs.selectedIndex = selected
        tabs.delegate = delegate
        controller = tabs
      }
      controllers[node.id] = controller
      identities[ObjectIdentifier(controller)] = node.id
      return controller
    }

    /// UIKit refuses a navigation controller inside another one, so it is wrapped in a container.
    private func buildElement(_ node: Node<Screen>) -> UIViewController {
      let controller = build(node)
      return controller is UINavigationController ? ContainerViewController(controller) : controller
    }

    private func buildTab(_ node: Node<Screen>, _ key: TabKey) -> UIViewController {
      let controller = build(node)
      controller.tabBarItem.title = key.name
      return controller
    }

    private func member(_ id: NodeID, of controllers: [UIViewController]) -> UIViewController? {
      controllers.first { controller in
        identities[ObjectIdentifier((controller as? ContainerViewController)?.content ?? controller)] == id
      }
    }

    private func navigationController(_ id: NodeID) -> UINavigationController? {
      controllers[id] as? UINavigationController
    }

    private func tabBarController(_ id: NodeID) -> UITabBarController? { controllers[id] as? UITabBarController }

    /// Presents the modals inside a new node; must be called after the node was added.
    private func presentModals(in node: Node<Screen>) {
      for child in node.children { presentModals(in: child) }
      if let modal = node.modal { present(modal, over: node.id) }
    }

    private func present(_ node: Node<Screen>, over id: NodeID) {
      guard controllers[id] != nil else { return }
      let controller = build(node)
      controller.presentationController?.delegate = delegate
      modals[id] = node.id
      unpresented.insert(id)
      presentModals(in: node)
    }

    /// UIKit refuses all other presenters, and presenters in a transition.
    ///
    /// It does not call the completion then.
    private func presentWaitingModals() {
      for id in unpresented.sorted() {
        guard let presenter = controllers[id], let modal = modals[id].flatMap({ controllers[$0] }),
          presenter.viewIfLoaded?.window != nil
        else { continue }
        let ended = transition()
        presenter.present(modal, animated: isAnimated, completion: ended)
        if modal.presentingViewController == nil { ended() } else { unpresented.remove(id) }
      }
    }

    private func dismissModal(of id: NodeID) {
      guard let modal = modals.removeValue(forKey: id), unpresented.remove(id) == nil,
        let presenter = controllers[modal]?.presentingViewController
      else { return }
      presenter.dismiss(animated: isAnimated, completion: transition())
    }

    /// A stack outside of the window has none.
    private func awaitTransition(of stack: UINavigationController) {
      guard let coordinator = stack.transitionCoordinator else { return }
      let ended = transition()
      if !coordinator.animate(alongsideTransition: nil, completion: { _ in ended() }) { ended() }
    }

    private func transition() -> () -> Void {
      lastTransition += 1
      let number = lastTransition
      transitions.insert(number)
      return { [weak self] in
        if self?.transitions.remove(number) != nil { self?.proceed() }
      }
    }

    private func proceed() {
      guard !isPerforming, transitions.isEmpty else { return }
      isPerforming = true
      presentWaitingModals()
      isPerforming = false
      guard transitions.isEmpty else { return }
      releaseRemovedControllers()
      guard let number = batchInFlight, let state else { return }
      batchInFlight = nil
      driver.acknowledge(Acknowledgement(batch: number, state: state))
    }

    private func observe() {
      // During a batch the state is ignored, because the acknowledgement will contain it.
      if batchInFlight == nil, let state { driver.observe(state) }
      proceed()
    }

    private func state(of controller: UIViewController) -> ShellState? {
      if let container = controller as? ContainerViewController { return state(of: container.content) }
      guard let id = identities[ObjectIdentifier(controller)] else { return nil }
      let content: ShellState.Content
      if let stack = controller as? UINavigationController {
        content = .stack(stack.viewControllers.compactMap { state(of: $0) })
      } else if let tabs = controller as? UITabBarController {
        content = .tabs((tabs.viewControllers ?? []).compactMap { state(of: $0) }, selected: tabs.selectedIndex)
      } else {
        content = .screen
      }
      let modal = modals[id].flatMap { controllers[$0] }
      // `presentedViewController` would also return the modals of ancestors.
      let isPresented = modal?.presentingViewController != nil && modal?.isBeingDismissed == false
      let isShown = isPresented || unpresented.contains(id)
      return ShellState(id: id, content: content, modal: isShown ? modal.flatMap { state(of: $0) } : nil)
    }

    private func releaseRemovedControllers() {
      var present: Set<NodeID> = []
      func visit(_ state: ShellState) {
        present.insert(state.id)
        switch state.content {
        case .screen: break
        case .stack(let elements), .tabs(let elements, _): elements.forEach(visit)
        }
        if let modal = state.modal { visit(modal) }
      }
      guard let state else { return }
      visit(state)
      controllers = controllers.filter { present.contains($0.key) }
      identities = identities.filter { present.contains($0.value) }
      modals = modals.filter { present.contains($0.key) && present.contains($0.value) }
      unpresented = unpresented.filter { modals[$0] != nil }
    }
  }
#endif
