import Coordinators
import Foundation
import Testing

/// Counts the coordinators in memory that were created while this census was current.
final class Census: @unchecked Sendable {
  @TaskLocal static var current: Census?

  /// Lives as long as its coordinator.
  final class Member: Sendable {
    private let census = Census.current

    init() { census?.change(by: 1) }

    deinit { census?.change(by: -1) }
  }

  // Guarded by `lock`.
  private var count = 0
  private let lock = NSLock()

  var alive: Int { lock.withLock { count } }

  private func change(by difference: Int) { lock.withLock { count += difference } }
}

/// The app of the talk with a shell that records navigations, controlled by a test.
@MainActor
final class App {
  let census = Census()
  private(set) var reports: [CoordinatorReport] = []
  private let shell = GestureShell<DictionaryScreen>()
  private var made: Navigator<DictionaryScreen>?
  private(set) weak var application: ApplicationCoordinator?

  init(restoring navigation: Navigation<DictionaryScreen>? = nil) {
    let navigator = Navigator<DictionaryScreen>(
      restoring: navigation, report: { [unowned self] in reports.append($0) }, show: shell.show)
    made = navigator
    shell.navigator = navigator
    Census.$current.withValue(census) {
      _ = navigator.start("application") {
        (context: DictionaryPresenter<Never>) in
        let application = ApplicationCoordinator(context)
        self.application = application
        return application
      }
    }
  }

  var front: DictionaryScreen? { made?.navigation?.front.screen }
  var navigation: Navigation<DictionaryScreen>? { made?.navigation }
  var updates: Int { shell.shown.count }
  var running: Set<CoordinatorID> { made?.coordinators ?? [] }

  func act(_ action: DictionaryScreen.Action, from node: NodeID? = nil) {
    guard let id = node ?? made?.navigation?.front.id else { return }
    Census.$current.withValue(census) { made?.send(action, from: id) }
  }

  func apply(_ intent: Intent<DictionaryScreen>) {
    Census.$current.withValue(census) { made?.apply(intent) }
  }

  func person(_ act: (GestureShell<DictionaryScreen>) -> Void) {
    Census.$current.withValue(census) { act(shell) }
  }

  var violations: [String] {
    var found: [String] = []
    guard let navigation else { return ["nothing is shown"] }
    found += navigation.violations
    if running != navigation.coordinators { found.append("running \(running), in the tree \(navigation.coordinators)") }
    if census.alive != running.count { found.append("\(census.alive) are in memory, \(running.count) run") }
    if shell.shown.last != navigation { found.append("the shell shows something else") }
    return found
  }

  func end() { made = nil }
}
