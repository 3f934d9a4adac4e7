#if canImport(UIKit)
  internal import UIKit

  /// The shell itself cannot be the delegate, because a generic class cannot have Objective-C methods in an extension.
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
