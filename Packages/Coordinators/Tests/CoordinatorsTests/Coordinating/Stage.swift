@testable import Coordinators
import Futures

enum Plain: NavigationScreen {
  case first, second, third
  enum Action: Sendable { case go }
}

/// A navigator with a root that stays, and what was told about it.
@MainActor
final class Stage {
  /// A coordinator that does what a test tells it.
  final class Actor: Coordinator {
    typealias Screen = Plain
    let presenter: Presenter<Plain, Int>
    private let onStart: (Presenter<Plain, Int>) -> Void
    private let adopts: Bool

    init(_ presenter: Presenter<Plain, Int>, adopts: Bool = false, onStart: @escaping (Presenter<Plain, Int>) -> Void) {
      self.presenter = presenter
      self.adopts = adopts
      self.onStart = onStart
    }

    func start() { onStart(presenter) }

    func adopt(_ name: String) -> Bool {
      adopts && presenter.adopt(name) { Actor($0, adopts: true) { _ in } }
    }
  }

  private(set) var reports: [CoordinatorReport] = []
  private(set) var ends: [String] = []
  private(set) var batches = 0
  private var made: Navigator<Plain>?
  private var given: Presenter<Plain, Int>?
  private(set) var future: Future<Int, CoordinatorCancelled>?

  /// - Parameters:
  ///   - navigation: A restored one.
  ///   - adopts: Whether the root, and all below it, makes whatever child is asked for.
  ///   - onStart: What the root shows.
  init(
    restoring navigation: Navigation<Plain>? = nil, adopts: Bool = false,
    onStart: @escaping (Presenter<Plain, Int>) -> Void = { $0.push(.screen(.first)) }
  ) {
    let navigator = Navigator<Plain>(
      restoring: navigation, shell: { [unowned self] _ in batches += 1 },
      report: { [unowned self] in reports.append($0) })
    made = navigator
    future = navigator.start("root") { [unowned self] (presenter: Presenter<Plain, Int>) in
      given = presenter
      return Actor(presenter, adopts: adopts, onStart: onStart)
    } then: { [unowned self] in
      ends.append("root \($0)")
    }
  }

  var navigator: Navigator<Plain> {
    guard let made else { preconditionFailure("made in init") }
    return made
  }

  var root: Presenter<Plain, Int> {
    guard let given else { preconditionFailure("given in init") }
    return given
  }

  /// The tree on one line.
  var tree: String { navigator.navigation?.description ?? "" }

  /// Starts a child that shows the second screen, and gives its presenter.
  @discardableResult
  func child(
    of parent: Presenter<Plain, Int>, _ name: String, _ placement: CoordinatorPlacement = .push,
    then: @escaping () -> Void = {}, onStart: @escaping (Presenter<Plain, Int>) -> Void = { $0.push(.screen(.second)) }
  ) -> Presenter<Plain, Int>? {
    var child: Presenter<Plain, Int>?
    parent.start(name, placement) { (presenter: Presenter<Plain, Int>) in
      child = presenter
      return Actor(presenter, onStart: onStart)
    } then: { [unowned self] in
      ends.append("\(name) \($0)")
      then()
    }
    return child
  }

  /// Starts a child whose stack becomes the content of a tab, beside another tab.
  func childInTab(then: @escaping () -> Void = {}) -> Presenter<Plain, Int>? {
    var child: Presenter<Plain, Int>?
    // In one event: what is made and shown nowhere is gone at its end.
    navigator.transaction {
      let content = root.content(of: "tab") { (presenter: Presenter<Plain, Int>) in
        child = presenter
        return Actor(presenter) { $0.push(.screen(.second)) }
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

  /// Has a coordinator want each thing that there is, six in all.
  func wantEverything(_ presenter: Presenter<Plain, Int>) {
    child(of: presenter, "x", .root)
    presenter.push(.screen(.third))
    presenter.present(.screen(.third))
    presenter.unwind()
    _ = presenter.content(of: "y") { (given: Presenter<Plain, Int>) in Actor(given) { $0.push(.screen(.third)) } }
    presenter.adopt("z") { (given: Presenter<Plain, Int>) in Actor(given) { $0.push(.screen(.third)) } }
  }
}
