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
  /// It changes only the containers that differ from the navigation. A change by the user (a swipe back, another tab, a modal
  /// pulled down) is an intent to the navigator. Changes wait for the end of a transition. A modal over a
  /// controller outside of the window, for example in a tab that is not selected, is presented when the controller is shown.
  ///
  /// A stack in a stack is shown as one stack; a modal over the inner one is not shown.
  ///
  /// Experimental: it was compiled and run with stubs of UIKit only.
  ///
  /// Source: *Boundaries in Practice*.
  @MainActor
  public final class UIKitShell<Screen: NavigationScreen>: NSObject, UINavigationControllerDelegate,
    UITabBarControllerDelegate, UIAdaptivePresentationControllerDelegate
  {
    /// The navigator that receives the changes by the user; not retained.
    public weak var navigator: Navigator<Screen>?
    private let window: UIWindow
    private let make: (Node<Screen>) -> UIViewController
    private let update: (UIViewController, Screen) -> Void
    private var controllers: [NodeID: UIViewController] = [:]
    /// The navigation that the containers show, and the one that they have to show.
    private var shown: Navigation<Screen>?
    private var wanted: Navigation<Screen>?
    /// The presented modals, by the nodes that present them.
    private var modals: [NodeID: NodeID] = [:]
    private var transitions = 0
    private var isSynchronizing = false

    /// Creates a shell that shows nothing yet.
    ///
    /// `make` makes the view controller of a screen, and is called once for each node with a screen. `update` shows
    /// another screen in such a view controller.
    public init(
      window: UIWindow, make: @escaping (Node<Screen>) -> UIViewController,
      update: @escaping (UIViewController, Screen) -> Void
    ) {
      self.window = window
      self.make = make
      self.update = update
      super.init()
    }

    /// Shows a navigation now, or after the running transitions.
    public func show(_ navigation: Navigation<Screen>) {
      wanted = navigation
      synchronize()
    }

    // MARK: From the user to the navigator. A generic class cannot have Objective-C methods in an extension.

    public func navigationController(
      _ stack: UINavigationController, didShow viewController: UIViewController, animated: Bool
    ) {
      defer { synchronize() }
      guard transitions == 0, let id = id(of: stack), case .stack(let elements)? = shown?[id]?.content,
        case let screens = elements.flatMap(\.unstacked), stack.viewControllers.count < screens.count
      else { return }
      let top = screens[stack.viewControllers.count - 1].id
      shown = try? shown?.applying(.unwind(to: .node(top)))
      if navigator?.navigation?[top] != nil { navigator?.apply(.unwind(to: .node(top))) }
    }

    public func tabBarController(_ bar: UITabBarController, didSelect viewController: UIViewController) {
      defer { synchronize() }
      guard let id = id(of: bar), case .tabs(let tabs, let selected)? = shown?[id]?.content,
        tabs.indices.contains(bar.selectedIndex), tabs[bar.selectedIndex].key != selected
      else { return }
      let intent = Intent<Screen>.select(tabs[bar.selectedIndex].key, in: id)
      shown = try? shown?.applying(intent)
      navigator?.apply(intent)
    }

    public func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
      for (presenter, modal) in modals where controllers[modal]?.presentingViewController == nil {
        modals[presenter] = nil
        if navigator?.navigation?[presenter]?.modal?.id == modal { navigator?.apply(.dismiss(over: presenter)) }
      }
      synchronize()
    }

    private func id(of controller: UIViewController) -> NodeID? { controllers.first { $0.value === controller }?.key }
  }

  // MARK: - From the navigation to the containers

  extension UIKitShell {
    private func synchronize() {
      guard let wanted, transitions == 0, !isSynchronizing else { return }
      isSynchronizing = true
      defer { isSynchronizing = false }
      if dismissModals(except: wanted) { return }
      if shown != wanted {
        let root = controller(for: wanted.root)
        if window.rootViewController !== root { window.rootViewController = root }
        shown = wanted
      }
      if transitions == 0 { presentModals(in: wanted.root) }
      controllers = controllers.filter { wanted[$0.key] != nil }
    }

    /// Returns the controller of a node, and brings its containers to the state of the node.
    private func controller(for node: Node<Screen>) -> UIViewController {
      let known = controllers[node.id]
      switch node.content {
      case .screen(let screen):
        if let known, let before = shown?[node.id]?.screen, before != screen { update(known, screen) }
        return keep(known ?? make(node), for: node)
      case .stack(let elements):
        let stack = known as? UINavigationController ?? UINavigationController()
        let wanted = elements.flatMap(\.unstacked).map { controller(for: $0) }
        if stack.viewControllers != wanted {
          stack.setViewControllers(wanted, animated: known != nil)
          if let coordinator = stack.transitionCoordinator {
            begin { ended in _ = coordinator.animate(alongsideTransition: nil) { _ in ended() } }
          }
        }
        stack.delegate = self
        return keep(stack, for: node)
      case .tabs(let tabs, let selected):
        let bar = known as? UITabBarController ?? UITabBarController()
        let wanted = tabs.map { tab in
          let controller = controller(for: tab.node)
          controller.tabBarItem.title = tab.key.name
          return controller
        }
        if bar.viewControllers != wanted { bar.setViewControllers(wanted, animated: known != nil) }
        if let index = tabs.firstIndex(where: { $0.key == selected }), bar.selectedIndex != index {
          bar.selectedIndex = index
        }
        bar.delegate = self
        return keep(bar, for: node)
      }
    }

    private func keep(_ controller: UIViewController, for node: Node<Screen>) -> UIViewController {
      controllers[node.id] = controller
      return controller
    }

    /// Returns whether a modal is being dismissed.
    private func dismissModals(except wanted: Navigation<Screen>) -> Bool {
      for (presenter, modal) in modals.sorted(by: { $0.key < $1.key }) where wanted[presenter]?.modal?.id != modal {
        modals[presenter] = nil
        guard let controller = controllers[modal]?.presentingViewController else { continue }
        begin { controller.dismiss(animated: true, completion: $0) }
        if transitions > 0 { return true }
      }
      return false
    }

    /// Presents the outermost modals that are missing; the inner ones follow after their transitions.
    private func presentModals(in node: Node<Screen>) {
      for child in node.children { presentModals(in: child) }
      guard let modal = node.modal, let presenter = controllers[node.id] else { return }
      let controller = controller(for: modal)
      if modals[node.id] == modal.id { return presentModals(in: modal) }
      // UIKit ignores the call otherwise, and does not call the completion.
      guard presenter.viewIfLoaded?.window != nil, presenter.presentedViewController == nil else { return }
      controller.presentationController?.delegate = self
      modals[node.id] = modal.id
      begin { presenter.present(controller, animated: true, completion: $0) }
    }

    private func begin(_ transition: (@escaping () -> Void) -> Void) {
      transitions += 1
      transition { [weak self] in
        self?.transitions -= 1
        self?.synchronize()
      }
    }
  }

  extension Node {
    /// The node, or the elements of its stack: UIKit refuses a navigation controller inside another one.
    fileprivate var unstacked: [Node] { kind == .stack ? children.flatMap(\.unstacked) : [self] }
  }
#endif
