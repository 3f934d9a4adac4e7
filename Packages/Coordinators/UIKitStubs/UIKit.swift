// Stubs of the part of UIKit that `CoordinatorsUIKit` uses, to check it on systems without UIKit.
//
// Written by hand from the public documentation: names, types, optionality and isolation. Nothing here is part of any
// product. Requirements that are optional in Objective-C have empty defaults here.
//
// Containers, windows and transitions behave as far as `UIKitShell` relies on them. A transition ends when a check calls
// `Transitions.finish()`. UIKit refuses to present over a controller that is outside of the window or in another transition:
// nothing happens, and the completion is not called. So do the stubs.
//
// Apple documents these declarations and uses implicitly unwrapped types, so the stubs have both:
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals

@_exported import Foundation

public typealias CGFloat = Foundation.CGFloat

@MainActor open class UIResponder: NSObject {}

@MainActor public protocol UIApplicationDelegate: AnyObject {
  var window: UIWindow? { get set }
}

@MainActor public final class UIApplication: UIResponder {
  public struct LaunchOptionsKey: Hashable, Sendable {}
}

@MainActor public final class UIScreen: NSObject {
  public static var main: UIScreen { UIScreen() }
  public var bounds: CGRect { .zero }
}

/// The transitions that have begun; a part of the stubs, not of UIKit.
@MainActor public enum Transitions {
  static var endings: [() -> Void] = []

  public static func finish() {
    while !endings.isEmpty { endings.removeFirst()() }
  }
}

@MainActor open class UIView: UIResponder {
  public struct AutoresizingMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let flexibleWidth = AutoresizingMask(rawValue: 1 << 1)
    public static let flexibleHeight = AutoresizingMask(rawValue: 1 << 4)
  }

  public init(frame: CGRect) {}
  open var frame: CGRect = .zero
  open var bounds: CGRect = .zero
  open var autoresizingMask: AutoresizingMask = []
  public private(set) weak var superview: UIView?
  open var window: UIWindow? { superview?.window }
  open func addSubview(_ view: UIView) { view.superview = self }
  open func removeFromSuperview() { superview = nil }
}

@MainActor open class UIWindow: UIView {
  private var isVisible = false
  open var rootViewController: UIViewController? {
    didSet {
      oldValue?.view.removeFromSuperview()
      show()
    }
  }
  open override var window: UIWindow? { isVisible ? self : nil }
  open func makeKeyAndVisible() {
    isVisible = true
    show()
  }
  private func show() {
    if isVisible, let view = rootViewController?.view { addSubview(view) }
  }
}

@MainActor open class UINavigationItem: NSObject {
  open var prompt: String?
}

@MainActor public struct UIAction {
  let handler: (UIAction) -> Void
  public init(handler: @escaping (UIAction) -> Void) { self.handler = handler }
}

@MainActor open class UIControl: UIView {
  public struct Event: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let valueChanged = Event(rawValue: 1 << 12)
    public static let editingChanged = Event(rawValue: 1 << 17)
  }

  private var actions: [(event: Event, action: UIAction)] = []
  open func addAction(_ action: UIAction, for controlEvents: Event) { actions.append((controlEvents, action)) }
  open func sendActions(for controlEvents: Event) {
    for (event, action) in actions where event == controlEvents { action.handler(action) }
  }
}

@MainActor open class UISwitch: UIControl {
  open var isOn = false
}

@MainActor open class UISegmentedControl: UIControl {
  public init(items: [Any]?) { super.init(frame: .zero) }
  open var selectedSegmentIndex = -1
}

@MainActor open class UITextField: UIControl {
  open var text: String? = ""
  open var isSecureTextEntry = false
  open var accessibilityLabel: String?
}

@MainActor open class UITabBarItem: NSObject {
  open var title: String?
}

@MainActor open class UIPresentationController: NSObject {
  open weak var delegate: (any UIAdaptivePresentationControllerDelegate)?
}

@MainActor open class UIViewController: UIResponder {
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}
  public required init?(coder: NSCoder) { nil }
  public override convenience init() { self.init(nibName: nil, bundle: nil) }

  private var loadedView: UIView?
  open var view: UIView! {
    get {
      if let loadedView { return loadedView }
      let view = UIView(frame: .zero)
      loadedView = view
      viewDidLoad()
      return view
    }
    set { loadedView = newValue }
  }
  open var viewIfLoaded: UIView? { loadedView }
  open var title: String?
  open var tabBarItem: UITabBarItem! = UITabBarItem()
  open var isViewLoaded: Bool { loadedView != nil }
  public private(set) var isBeingDismissed = false
  public private(set) weak var presentingViewController: UIViewController?
  public private(set) var presentedViewController: UIViewController?
  public let presentationController: UIPresentationController? = UIPresentationController()
  open var transitionCoordinator: (any UIViewControllerTransitionCoordinator)? { nil }

  open func viewDidLoad() {}
  open func viewWillAppear(_ animated: Bool) {}
  open func viewDidDisappear(_ animated: Bool) {}
  open func present(
    _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
  ) {
    guard let window = viewIfLoaded?.window, presentedViewController == nil else { return }
    presentedViewController = viewControllerToPresent
    viewControllerToPresent.presentingViewController = self
    window.addSubview(viewControllerToPresent.view)
    Transitions.endings.append { completion?() }
  }
  open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
    guard let modal = presentedViewController else { return completion?() ?? () }
    modal.isBeingDismissed = true
    Transitions.endings.append { [self] in
      remove(modal)
      completion?()
    }
  }
  /// Pulls this modal down, as a user does.
  public func pullDown() {
    guard let presenter = presentingViewController else { return }
    presenter.remove(self)
    if let presentationController {
      presentationController.delegate?.presentationControllerDidDismiss(presentationController)
    }
  }
  private func remove(_ modal: UIViewController) {
    modal.view.removeFromSuperview()
    modal.isBeingDismissed = false
    modal.presentingViewController = nil
    presentedViewController = nil
  }
  public private(set) weak var parent: UIViewController?
  public let navigationItem = UINavigationItem()
  open func addChild(_ childController: UIViewController) { childController.parent = self }
  open func removeFromParent() { parent = nil }
  open func willMove(toParent parent: UIViewController?) {}
  open func didMove(toParent parent: UIViewController?) {}
}

@MainActor public protocol UIViewControllerTransitionCoordinatorContext: NSObjectProtocol {}

@MainActor public protocol UIViewControllerTransitionCoordinator: UIViewControllerTransitionCoordinatorContext {
  @discardableResult
  func animate(
    alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
    completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
  ) -> Bool
}

@MainActor private final class StackTransition: NSObject, UIViewControllerTransitionCoordinator {
  var completions: [(any UIViewControllerTransitionCoordinatorContext) -> Void] = []

  func animate(
    alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
    completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
  ) -> Bool {
    if let completion { completions.append(completion) }
    return true
  }
}

@MainActor open class UINavigationController: UIViewController {
  open weak var delegate: (any UINavigationControllerDelegate)?
  public private(set) var viewControllers: [UIViewController] = []
  private var transition: StackTransition?
  open override var transitionCoordinator: (any UIViewControllerTransitionCoordinator)? { transition }
  open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
    self.viewControllers.last?.viewIfLoaded?.removeFromSuperview()
    self.viewControllers = viewControllers
    guard let top = viewControllers.last else { return }
    view.addSubview(top.view)
    guard view.window != nil else { return }
    let begun = animated ? StackTransition() : nil
    transition = begun
    Transitions.endings.append { [self] in
      if transition === begun { transition = nil }
      if let begun { for completion in begun.completions { completion(begun) } }
      delegate?.navigationController(self, didShow: top, animated: animated)
    }
  }
  @discardableResult
  open func popToViewController(_ viewController: UIViewController, animated: Bool) -> [UIViewController]? {
    guard let index = viewControllers.firstIndex(of: viewController) else { return nil }
    let popped = Array(viewControllers[(index + 1)...])
    setViewControllers(Array(viewControllers[...index]), animated: animated)
    return popped
  }
}

@MainActor open class UITabBarController: UIViewController {
  open weak var delegate: (any UITabBarControllerDelegate)?
  public private(set) var viewControllers: [UIViewController]?
  open var selectedViewController: UIViewController? {
    get { viewControllers.flatMap { $0.indices.contains(selectedIndex) ? $0[selectedIndex] : nil } }
    set { if let index = viewControllers?.firstIndex(where: { $0 === newValue }) { selectedIndex = index } }
  }
  open var selectedIndex = 0 {
    didSet {
      for controller in viewControllers ?? [] { controller.viewIfLoaded?.removeFromSuperview() }
      if let selected = selectedViewController { view.addSubview(selected.view) }
    }
  }
  open func setViewControllers(_ viewControllers: [UIViewController]?, animated: Bool) {
    self.viewControllers = viewControllers
    selectedIndex = min(selectedIndex, max((viewControllers?.count ?? 0) - 1, 0))
  }
  /// Taps a tab, as a user does.
  public func tap(_ index: Int) {
    selectedIndex = index
    if let selected = selectedViewController { delegate?.tabBarController(self, didSelect: selected) }
  }
}

@MainActor public protocol UINavigationControllerDelegate: NSObjectProtocol {
  func navigationController(
    _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool)
}

extension UINavigationControllerDelegate {
  public func navigationController(
    _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
  ) {}
}

@MainActor public protocol UITabBarControllerDelegate: NSObjectProtocol {
  func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController)
}

extension UITabBarControllerDelegate {
  public func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController) {}
}

@MainActor public protocol UIAdaptivePresentationControllerDelegate: NSObjectProtocol {
  func presentationControllerDidDismiss(_ presentationController: UIPresentationController)
}

extension UIAdaptivePresentationControllerDelegate {
  public func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {}
}

public protocol UIContentConfiguration: Sendable {}

public struct UIListContentConfiguration: UIContentConfiguration {
  public var text: String?
  public var secondaryText: String?
}

@MainActor open class UITableViewCell: UIView {
  public enum CellStyle: Int, Sendable { case `default` }
  public enum AccessoryType: Int, Sendable { case none, disclosureIndicator }

  public init(style: CellStyle, reuseIdentifier: String?) { super.init(frame: .zero) }
  open var accessoryType = AccessoryType.none
  open var accessoryView: UIView?
  open var contentConfiguration: (any UIContentConfiguration)?
  open func defaultContentConfiguration() -> UIListContentConfiguration { UIListContentConfiguration() }
}

@MainActor open class UITableView: UIView {
  public enum Style: Int, Sendable { case plain, grouped, insetGrouped }

  open func reloadData() {}
}

@MainActor open class UITableViewController: UIViewController {
  public init(style: UITableView.Style) { super.init(nibName: nil, bundle: nil) }
  public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
  }
  public required init?(coder: NSCoder) { nil }

  open var tableView: UITableView! = UITableView(frame: .zero)
  open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
  open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
    UITableViewCell(style: .default, reuseIdentifier: nil)
  }
  open func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
}

extension IndexPath {
  public var row: Int { self[1] }
}
