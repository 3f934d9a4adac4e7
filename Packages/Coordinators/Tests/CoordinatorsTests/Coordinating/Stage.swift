@testable import Coordinators
import Dispatch
import Futures

enum Plain: NavigationScreen {
  case first, second, third
  enum Action: Sendable { case go }
}

/// A navigator with a permanent root, and its recorded reports.
@MainActor
final class Stage {
  final class Actor: Coordinator {
    typealias Screen = Plain
    let context: CoordinatorContext<Plain, Int>
    private let onStart: (CoordinatorContext<Plain, Int>) -> Void
    private let restoring: (CoordinatorContext<Plain, Int>, String) -> Bool

    init(
      _ context: CoordinatorContext<Plain, Int>,
      restoring: @escaping (CoordinatorContext<Plain, Int>, String) -> Bool = { _, _ in false },
      onStart: @escaping (CoordinatorContext<Plain, Int>) -> Void
    ) {
      self.context = context
      self.restoring = restoring
      self.onStart = onStart
    }

    func start() { onStart(context) }

    func restoreChild(_ name: String) -> Bool { restoring(context, name) }

    static func adopt(_ context: CoordinatorContext<Plain, Int>, _ name: String) -> Bool {
      context.restoreChild(name) { Actor($0, restoring: adopt) { _ in } }
    }
  }

  private(set) var reports: [CoordinatorReport] = []
  private(set) var ends: [String] = []
  private var made: Navigator<Plain>?
  private var given: CoordinatorContext<Plain, Int>?
  private(set) var future: Future<Int, CoordinatorCancelled>?
  /// Restores a child of the root.
  private var restoring: (String) -> Bool = { _ in false }

  init(
    restoring navigation: Navigation<Plain>? = nil, adopts: Bool = false,
    onStart: @escaping (CoordinatorContext<Plain, Int>) -> Void = { $0.push(.screen(.first)) }
  ) {
    let navigator = Navigator<Plain>(
      restoring: navigation, report: { [unowned self] in reports.append($0) })
    made = navigator
    future = navigator.start("root") { [unowned self] (context: CoordinatorContext<Plain, Int>) in
      given = context
      return Actor(
        context, restoring: { [unowned self] in adopts ? Actor.adopt($0, $1) : restoring($1) }, onStart: onStart)
    } then: { [unowned self] in
      ends.append("root \($0)")
    }
  }

  var navigator: Navigator<Plain> {
    guard let made else { preconditionFailure("made in init") }
    return made
  }

  var root: CoordinatorContext<Plain, Int> {
    guard let given else { preconditionFailure("given in init") }
    return given
  }

  var tree: String { navigator.navigation?.description ?? "" }

  @discardableResult
  func child(
    of parent: CoordinatorContext<Plain, Int>, _ name: String, _ placement: CoordinatorPlacement = .push,
    then: @escaping () -> Void = {},
    onStart: @escaping (CoordinatorContext<Plain, Int>) -> Void = { $0.push(.screen(.second)) }
  ) -> CoordinatorContext<Plain, Int>? {
    var child: CoordinatorContext<Plain, Int>?
    parent.startChild(name, placement) { (context: CoordinatorContext<Plain, Int>) in
      child = context
      return Actor(context, onStart: onStart)
    } then: { [unowned self] in
      ends.append("\(name) \($0)")
      then()
    }
    return child
  }

  func childInTab(then: @escaping () -> Void = {}) -> CoordinatorContext<Plain, Int>? {
    var child: CoordinatorContext<Plain, Int>?
    restoring = { [unowned self] name in
      root.restoreChild(name) { (context: CoordinatorContext<Plain, Int>) in
        child = context
        return Actor(context) { _ in }
      } then: { [unowned self] in
        ends.append("\(name) \($0)")
        then()
      }
    }
    guard let id = navigator.navigation?.root.id else { return nil }
    let content = Node<Plain>.stack([.screen(.second)]).owned(by: "root/tab")
    let tabs = Node<Plain>.tabs([.tab("one", content), .tab("two", .screen(.first))])
    root.apply(.replace(id, with: tabs.owned(by: "root")))
    return child
  }
}

extension DispatchSemaphore {
  /// Waits in an asynchronous function too.
  func waitForIt() { wait() }
}
