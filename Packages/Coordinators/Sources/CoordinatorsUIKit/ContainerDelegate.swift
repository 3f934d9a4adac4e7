#if canImport(UIKit)
  internal import UIKit

  /// Hears what persons do with UIKit's containers.
  ///
  /// Not the shell itself: a generic class cannot give Objective-C its methods in an extension.
  @MainActor
  final class ContainerDelegate: NSObject, UINavigationControllerDelegate, UITabBarControllerDelegate,
    UIAdaptivePresentationControllerDelegate
  {
    var changed: () -> Void = {}

    func navigationController(
      _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
    ) { changed() }

    func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController) {
      changed()
    }

    func presentationControllerDidDismiss(_ presentationController: UIPresentationController) { changed() }
  }

  /// A view controller around another one.
  final class ContainerViewController: UIViewController {
    let content: UIViewController

    init(_ content: UIViewController) {
      self.content = content
      super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
      super.viewDidLoad()
      addChild(content)
      content.view.frame = view.bounds
      content.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      view.addSubview(content.view)
      content.didMove(toParent: self)
    }
  }
#endif
