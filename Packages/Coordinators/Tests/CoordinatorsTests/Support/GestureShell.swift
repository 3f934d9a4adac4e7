import Coordinators

/// A shell that records each navigation that it shows, and performs the gestures of a user.
@MainActor
final class GestureShell<Screen: NavigationScreen> {
  weak var navigator: Navigator<Screen>?
  private(set) var shown: [Navigation<Screen>] = []

  func show(_ navigation: Navigation<Screen>) { shown.append(navigation) }

  func swipeBack() { apply(shown.last?.popIntent) }

  func dismissModal() { apply(shown.last?.dismissIntent) }

  func select(_ key: TabKey) {
    if let tabs = shown.last?.visibleTabs { apply(.select(key, in: tabs.id)) }
  }

  private func apply(_ intent: Intent<Screen>?) {
    if let intent { navigator?.apply(intent) }
  }
}
