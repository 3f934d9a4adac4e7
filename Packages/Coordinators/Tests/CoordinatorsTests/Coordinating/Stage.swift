@testable import Coordinators
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
    private let adopts: Bool

    init(
      _ context: CoordinatorContext<Plain, Int>, adopts: Bool = false,
      onStart: @escaping (CoordinatorContext<Plain, Int>) -> Void
    ) {
      self.context = context
      self.adopts = adopts
      self.onStart = onStart
    }

    func start() { onStart(context) }

    func restoreChild(_ name: String) -> Bool {
      adopts && context.restoreChild(name) { Actor($0, adopts: true) { _ in } }
    }
  }

  private(set) var reports: [CoordinatorReport] = []
  private(set) var ends: [String] = []
  private(set) var updates = 0
  private var made: Navigator<Plain>?
  private var given: CoordinatorContext<Plain, Int>?
  private(set) var future: Future<Int, CoordinatorCancelled>?

  init(
    restoring navigation: Navigation<Plain>? = nil, adopts: Bool = false,
    onStart: @escaping (CoordinatorContext<Plain, Int>) -> Void = { $0.push(.screen(.first)) }
  ) {
    let navigator = Navigator<Plain>(
      restoring: navigation, report: { [unowned self] in reports.append($0) },
      show: { [unowned self] _ in updates += 1 })
    made = navigator
    future = navigator.start("root") { [unowned self] (context: CoordinatorContext<Plain, Int>) in
      given = context
      return Actor(context, adopts: adopts, onStart: onStart)
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
    // In one event, because a coordinator without screens is removed at the end of its event.
    navigator.transaction {
      let content = root.embedChild("tab") { (context: CoordinatorContext<Plain, Int>) in
        child = context
        return Actor(context) { $0.push(.screen(.second)) }
      } then: { [unowned self] in
        ends.append("tab \($0)")
        then()
      }
      guard let content, let id = navigator.navigation?.root.id else { return }
      let tabs = Blueprint<Plain>.tabs([.tab("one", content), .tab("two", .screen(.first))])
      root.apply(.replace(id, with: tabs.owned(by: "root")))
    }
    return child
  }

  func wantEverything(_ context: CoordinatorContext<Plain, Int>) {
    child(of: context, "x", .root)
    context.push(.screen(.third))
    context.present(.screen(.third))
    context.unwind()
    _ = context.embedChild("y") { (given: CoordinatorContext<Plain, Int>) in Actor(given) { $0.push(.screen(.third)) } }
    context.restoreChild("z") { (given: CoordinatorContext<Plain, Int>) in Actor(given) { $0.push(.screen(.third)) } }
  }
}
