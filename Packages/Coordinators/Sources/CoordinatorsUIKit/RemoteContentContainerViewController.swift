#if canImport(UIKit)
  public import Coordinators
  public import UIKit

  /// A view controller around a fetch: it shows the provider's view controller for what came of it.
  ///
  /// ```swift
  /// RemoteContentContainerViewController(provider: StoryProvider(id: 12345, client: client))
  /// ```
  ///
  /// Leaving it ends the fetch; coming back begins it again, unless there is content that is up to date.
  ///
  /// Source: *Boundaries in Practice*, under this name.
  public final class RemoteContentContainerViewController<Provider: RemoteContentProviding>: UIViewController
  where Provider.Screen == UIViewController {
    private var container: RemoteContentContainer<Provider>?
    private var shown: UIViewController?

    /// Creates a container that fetches nothing yet.
    ///
    /// - Parameters:
    ///   - provider: What to fetch, and the view controller for what came of it.
    ///   - cache: What to show before, or instead of, fetching.
    public init(provider: Provider, cache: RemoteContentCache<Provider.Content> = .none) {
      super.init(nibName: nil, bundle: nil)
      container = RemoteContentContainer(provider, cache: cache) { [weak self] in self?.show($0) }
    }

    /// Not to be had from a storyboard: a container is made with its provider.
    @available(*, unavailable)
    public required init?(coder: NSCoder) { nil }

    /// Begins the fetch.
    public override func viewWillAppear(_ animated: Bool) {
      super.viewWillAppear(animated)
      if !isUpToDate { container?.appear() }
    }

    /// Ends the fetch.
    public override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      if !isUpToDate { container?.leave() }
    }

    /// Fetches again: after a failure, or to replace the content.
    ///
    /// Does nothing outside of the window.
    public func refresh() { container?.refresh() }

    /// Whether there is nothing to fetch: the view controller of the content stays, with its scroll position.
    private var isUpToDate: Bool {
      if case .content(_, isRefreshing: false)? = container?.content { true } else { false }
    }

    private func show(_ container: RemoteContentContainer<Provider>) {
      guard let controller = container.screen else { return }
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
