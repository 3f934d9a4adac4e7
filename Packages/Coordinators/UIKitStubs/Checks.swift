// Runs `UIKitShell` with the stubs; `Scripts/check apple` compiles and runs it. A failed check ends the program.

import Coordinators
import CoordinatorsUIKit
import Foundation
import Futures
import UIKit

struct Place: NavigationScreen {
  enum Action: Sendable {}

  var name: String
}

@MainActor
final class App: Coordinator {
  let context: CoordinatorContext<Place, Never>
  private let first: Node<Place>

  init(_ context: CoordinatorContext<Place, Never>, _ first: Node<Place>) {
    self.context = context
    self.first = first
  }

  func start() { context.push(first) }
}

/// A navigator with a shell in a window.
@MainActor
struct Bench {
  let window = UIWindow(frame: .zero)
  let shell: UIKitShell<Place>
  let navigator: Navigator<Place>

  init(_ first: Node<Place>) {
    let shell = UIKitShell<Place>(
      window: window,
      make: { node in
        let controller = UIViewController()
        controller.title = node.screen?.name
        return controller
      }, update: { $0.title = $1.name })
    let navigator = Navigator<Place>(report: { fail("\($0)") }, show: shell.show)
    shell.navigator = navigator
    (self.shell, self.navigator) = (shell, navigator)
    window.makeKeyAndVisible()
    navigator.start("app") { App($0, first) }
    Transitions.finish()
  }

  var root: NodeID { navigator.navigation?.root.id ?? NodeID(rawValue: -1) }
  var stack: UINavigationController? { window.rootViewController as? UINavigationController }
  var tabs: UITabBarController? { window.rootViewController as? UITabBarController }
  var isInStep: Bool { window.rootViewController.map(shape) == navigator.navigation.map { shape($0.root) } }
}

/// Describes containers and their modals.
@MainActor
func shape(_ controller: UIViewController) -> String {
  let inside =
    if let stack = controller as? UINavigationController {
      "[\(stack.viewControllers.map(shape).joined(separator: ","))]"
    } else if let tabs = controller as? UITabBarController {
      "{\((tabs.viewControllers ?? []).map(shape).joined(separator: "|")) \(tabs.selectedIndex)}"
    } else {
      controller.title ?? ""
    }
  return inside + (controller.presentedViewController.map { "^\(shape($0))" } ?? "")
}

/// Describes a node, with the modals that are not in a hidden tab.
func shape(_ node: Node<Place>, isVisible: Bool = true) -> String {
  let inside =
    switch node.content {
    case .screen(let screen): screen.name
    case .stack(let elements):
      "[\(elements.map { shape($0, isVisible: isVisible && $0.id == elements.last?.id) }.joined(separator: ","))]"
    case .tabs(let tabs, let selected):
      "{\(tabs.indices.map { shape(tabs[$0].node, isVisible: isVisible && tabs[$0].key == selected) }.joined(separator: "|")) \(tabs.firstIndex { $0.key == selected } ?? -1)}"
    }
  return inside + (isVisible ? node.modal.map { "^\(shape($0))" } ?? "" : "")
}

func fail(_ reason: String) -> Never {
  print("Check failed: \(reason)")
  exit(1)
}

func check(_ condition: Bool, _ sentence: String) {
  if !condition { fail(sentence) }
}

func place(_ name: String) -> Node<Place> { .screen(Place(name: name)) }

@main
@MainActor
enum Checks {
  static func main() {
    pushes()
    modals()
    hiddenPresenter()
    replacedModal()
    nestedModals()
    swipe()
    nestedStacks()
    remoteContent()
    page()
    print("UIKitShell passes its checks with the stubs")
  }

  static func pushes() {
    let bench = Bench(.stack([place("a")]))
    bench.navigator.apply(.push(place("b"), onto: bench.root))
    bench.navigator.apply(.push(place("c"), onto: bench.root))
    check(bench.stack?.viewControllers.count == 2, "a push waits for the animated push before it")
    Transitions.finish()
    check(bench.stack?.viewControllers.count == 3 && bench.isInStep, "a push is carried out after the one before it")
  }

  static func modals() {
    let bench = Bench(.stack([place("a")]))
    bench.navigator.apply(.present(.stack([place("m")]), over: bench.root))
    Transitions.finish()
    weak let modal = bench.stack?.presentedViewController
    check(modal != nil && bench.isInStep, "a modal is presented")
    bench.navigator.apply(.dismiss(over: bench.root))
    Transitions.finish()
    check(modal == nil && bench.isInStep, "a dismissed modal is released")
    bench.navigator.apply(.present(.stack([place("n")]), over: bench.root))
    Transitions.finish()
    weak let other = bench.stack?.presentedViewController
    bench.stack?.presentedViewController?.pullDown()
    check(bench.navigator.navigation?.root.modal == nil && bench.isInStep, "a modal that is pulled down goes")
    check(other == nil, "a modal that is pulled down is released")
  }

  static func hiddenPresenter() {
    let bench = Bench(.tabs([.tab("one", .stack([place("a")])), .tab("two", .stack([place("b")]))]))
    guard let hidden = bench.navigator.navigation?.root.children.last?.children.first?.id else { fail("a second tab") }
    bench.navigator.apply(.present(place("m"), over: hidden))
    bench.navigator.apply(.push(place("c"), onto: hidden.parent(in: bench)))
    Transitions.finish()
    check(bench.isInStep, "a context outside of the window does not hold up later batches")
    check(bench.navigator.navigation?[hidden]?.modal != nil, "its modal stays in the navigation")
    let inFront = bench.tabs?.viewControllers?.first as? UINavigationController
    guard let front = bench.navigator.navigation?.root.children.first?.id else { fail("a first tab") }
    bench.navigator.apply(.push(place("d"), onto: front))
    Transitions.finish()
    check(inFront?.viewControllers.count == 2, "navigation goes on")
    // The context is below another screen, so it comes into the window when that is popped.
    bench.navigator.apply(.pop(from: hidden.parent(in: bench)))
    bench.tabs?.tap(1)
    Transitions.finish()
    let context = (bench.tabs?.viewControllers?.last as? UINavigationController)?.viewControllers.first
    check(context?.presentedViewController?.title == "m", "the modal is presented when its context is shown")
    check(bench.isInStep, "and both agree")
  }

  static func replacedModal() {
    let bench = Bench(.stack([place("a")]))
    bench.navigator.apply(.present(.stack([place("m")]), over: bench.root))
    Transitions.finish()
    bench.navigator.apply(.show(.stack([place("a")]).presenting(.stack([place("n")]))))
    Transitions.finish()
    let shown = bench.stack?.presentedViewController as? UINavigationController
    check(shown?.viewControllers.last?.title == "n" && bench.isInStep, "one modal takes the place of another")
  }

  static func nestedModals() {
    let bench = Bench(.stack([place("a")]).presenting(.stack([place("m")]).presenting(.stack([place("n")]))))
    let outer = bench.stack?.presentedViewController
    let inner = outer?.presentedViewController as? UINavigationController
    check(inner?.viewControllers.last?.title == "n" && bench.isInStep, "modals over modals are presented one by one")
    bench.navigator.apply(.dismiss(over: bench.root))
    Transitions.finish()
    check(bench.stack?.presentedViewController == nil && bench.isInStep, "and dismissed together")
  }

  static func swipe() {
    let bench = Bench(.stack([place("a"), place("b")]))
    weak let top = bench.stack?.viewControllers.last
    guard let stack = bench.stack, let first = stack.viewControllers.first else { fail("a stack") }
    _ = stack.popToViewController(first, animated: true)
    Transitions.finish()
    check(bench.navigator.navigation?.front.screen?.name == "a" && bench.isInStep, "a swipe back is observed")
    check(top == nil, "a screen that was swiped away is released")
  }

  static func nestedStacks() {
    let bench = Bench(.stack([place("a"), .stack([place("b"), place("c")])]))
    guard let stack = bench.stack else { fail("a stack") }
    check(stack.viewControllers.map(\.title) == ["a", "b", "c"], "a stack in a stack is shown as one stack")
    _ = stack.popToViewController(stack.viewControllers[1], animated: true)
    Transitions.finish()
    check(bench.navigator.navigation?.front.screen?.name == "b", "a swipe back pops the inner stack")
    _ = stack.popToViewController(stack.viewControllers[0], animated: true)
    Transitions.finish()
    check(
      bench.navigator.navigation?.front.screen?.name == "a",
      "a swipe back from its first screen pops the whole inner stack")
    check(bench.navigator.navigation?.root.children.count == 1, "the outer stack has one element then")
  }
}

extension Checks {
  static func page() {
    var sent: [String] = []
    let form = Page<String>.Form(
      id: "f", submit: "Save",
      fields: [PageField("name", "Name", isRequired: true), PageField("public", "Public", kind: .checkbox)]
    ) {
      "\($0["name"]) \($0.isOn("public"))"
    }
    let table = PageViewController<String>(
      Page("Recipe", [.row("Soup", "soup"), .form(form), .button(.init(id: "b", "Help", .send("help")))])
    ) { sent.append($0) }
    func select(_ row: Int) { table.tableView(table.tableView, didSelectRowAt: IndexPath(indexes: [0, row])) }
    func cell(_ row: Int) -> UITableViewCell {
      table.tableView(table.tableView, cellForRowAt: IndexPath(indexes: [0, row]))
    }
    for row in [0, 4, 3] { select(row) }
    check(sent == ["soup", "help"], "a form with a problem is not sent")
    check(table.navigationItem.prompt == "Name: Fill in this field.", "the problem is shown")
    let (field, checkbox) = (cell(1).accessoryView as? UITextField, cell(2).accessoryView as? UISwitch)
    field?.text = "Soup"
    field?.sendActions(for: .editingChanged)
    checkbox?.isOn = true
    checkbox?.sendActions(for: .valueChanged)
    select(3)
    check(sent.last == "Soup true", "a form sends the input of its fields")
  }

  static func remoteContent() {
    let provider = Provider()
    let container = RemoteContentContainerViewController(provider: provider)
    func appear() { container.viewWillAppear(false) }
    func disappear() { container.viewDidDisappear(false) }
    appear()
    check(provider.fetches.count == 1, "a container fetches when it appears")
    provider.fetches.last?.failure(Unavailable())
    disappear()
    appear()
    check(provider.fetches.count == 2, "a container fetches again when it appears after a failure")
    provider.fetches.last?.failure(Unavailable())
    container.refresh()
    check(provider.fetches.count == 3, "refresh fetches again after a failure")
    provider.fetches.last?.success("content")
    let screens = provider.screens
    disappear()
    appear()
    check(provider.fetches.count == 3 && provider.screens == screens, "content and its view controller are kept")
    container.refresh()
    provider.fetches.last?.failure(Unavailable())
    disappear()
    appear()
    check(provider.fetches.count == 5, "old content is fetched again when it appears after a failed refresh")
    disappear()
    check(provider.fetches.last?.future.isCompleted == true, "a fetch is cancelled when the container disappears")
    appear()
    check(provider.fetches.count == 6, "a cancelled fetch begins again when the container appears")
  }
}

struct Unavailable: Error {}

@MainActor
final class Provider: RemoteContentProviding {
  var fetches: [Promise<String, any Error>] = []
  var screens = 0

  nonisolated func fetchContent() -> Future<String, any Error> {
    MainActor.assumeIsolated {
      fetches.append(Promise())
      return fetches[fetches.count - 1].future
    }
  }

  nonisolated func presentation(for content: Result<String, any Error>) -> UIViewController {
    MainActor.assumeIsolated {
      screens += 1
      return UIViewController()
    }
  }
}

extension NodeID {
  @MainActor
  func parent(in bench: Bench) -> NodeID {
    var parent: NodeID?
    bench.navigator.navigation?.root.forEach { node in
      if node.children.contains(where: { $0.id == self }) { parent = node.id }
    }
    return parent ?? self
  }
}
