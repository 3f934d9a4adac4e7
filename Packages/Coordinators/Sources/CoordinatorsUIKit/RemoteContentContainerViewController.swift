#if canImport(UIKit)
  public import Coordinators
  public import UIKit

  /// A view controller for remote content: it fetches the content and shows the provider's view controller for the result.
  ///
  /// ```swift
  /// RemoteContentContainerViewController(provider: StoryProvider(id: 12345, client: client))
  /// ```
  ///
  /// The fetch is cancelled when the view disappears, and begins again when it appears, unless the content is up to date.
  ///
  /// Source: *Boundaries in Practice*, where it has the same name.
  public final class RemoteContentContainerViewController<Provider: RemoteContentProviding>: UIViewController
  where Provider.Presentation == UIViewController {
    private var container: RemoteContentContainer<Provider>?
    private var shown: UIViewController?

    /// Creates a container that fetches nothing yet.
    public init(provider: Provider) {
      super.init(nibName: nil, bundle: nil)
      container = RemoteContentContainer(provider) { [weak self] in self?.show($0) }
    }

    @available(*, unavailable)
    public required init?(coder: NSCoder) { nil }

    public override func viewWillAppear(_ animated: Bool) {
      super.viewWillAppear(animated)
      container?.appear()
    }

    public override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      container?.leave()
    }

    /// Fetches again: after a failure, or to replace the content.
    ///
    /// Does nothing while the view is not visible.
    public func refresh() { container?.refresh() }

    private func show(_ container: RemoteContentContainer<Provider>) {
      guard let controller = container.presentation else { return }
      if let shown {
        shown.willMove(toParent: nil)
        shown.view.removeFromSuperview()
        shown.removeFromParent()
      }
      shown = controller
      addChild(controller)
      controller.view.frame = view.bounds
      controller.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      view.addSubview(controller.view)
      controller.didMove(toParent: self)
    }
  }
#endif
