import Coordinators
import Foundation
import Testing

/// Counts the coordinators that are in memory: those that were made while it is current.
final class Census: @unchecked Sendable {
  @TaskLocal static var current: Census?

  /// Lives as long as the coordinator that it is part of.
  final class Member: Sendable {
    private let census = Census.current

    init() { census?.change(by: 1) }

    deinit { census?.change(by: -1) }
  }

  // Guarded by `lock`.
  private var count = 0
  private let lock = NSLock()

  /// How many are alive.
  var alive: Int { lock.withLock { count } }

  private func change(by difference: Int) { lock.withLock { count += difference } }
}

/// The app of the talk with a shell that records, driven by a test.
@MainActor
final class App {
  let census = Census()
  private(set) var reports: [CoordinatorReport] = []
  private(set) var shell = RecordingShell<DictionaryScreen>()
  private var waiting: [Acknowledgement] = []
  private var made: Navigator<DictionaryScreen>?
  private(set) weak var application: ApplicationCoordinator?
  /// Whether the shell acknowledges at once.
  var isQuick = true

  init(restoring navigation: Navigation<DictionaryScreen>? = nil) {
    let navigator = Navigator<DictionaryScreen>(
      restoring: navigation, shell: { [unowned self] in perform($0) }, report: { [unowned self] in reports.append($0) })
    made = navigator
    Census.$current.withValue(census) {
      _ = navigator.start("application") {
        (presenter: DictionaryPresenter<Never>) in
        let application = ApplicationCoordinator(presenter)
        self.application = application
        return application
      }
    }
  }

  var front: DictionaryScreen? { made?.navigation?.front.screen }
  var navigation: Navigation<DictionaryScreen>? { made?.navigation }
  var batches: Int { shell.batches.count }
  var running: Set<CoordinatorID> { made?.coordinators ?? [] }

  func act(_ action: DictionaryScreen.Action, from node: NodeID? = nil) {
    guard let id = node ?? made?.navigation?.front.id else { return }
    Census.$current.withValue(census) { made?.send(action, from: id) }
  }

  func apply(_ intent: Intent<DictionaryScreen>) {
    Census.$current.withValue(census) { made?.apply(intent) }
  }

  func person(_ act: (inout RecordingShell<DictionaryScreen>) -> Bool) {
    guard act(&shell), let skeleton = shell.skeleton else { return }
    Census.$current.withValue(census) { made?.observe(skeleton) }
  }

  /// Acknowledges what the shell has carried out, with what it has by now.
  func catchUp() {
    let late = waiting
    waiting = []
    for var acknowledgement in late {
      if let skeleton = shell.skeleton { acknowledgement.skeleton = skeleton }
      Census.$current.withValue(census) { made?.acknowledge(acknowledgement) }
    }
  }

  /// Whether the shell has something to acknowledge.
  var catchesUp: Bool { !waiting.isEmpty }

  /// What has to hold after every event.
  var violations: [String] {
    var found: [String] = []
    guard let navigation else { return ["nothing is shown"] }
    found += navigation.violations
    if running != navigation.coordinators { found.append("running \(running), in the tree \(navigation.coordinators)") }
    if census.alive != running.count { found.append("\(census.alive) are in memory, \(running.count) run") }
    if waiting.isEmpty, shell.skeleton != navigation.skeleton { found.append("the shell has something else") }
    return found
  }

  func end() { made = nil }

  private func perform(_ batch: Batch<DictionaryScreen>) {
    guard let acknowledgement = try? shell.perform(batch) else {
      Issue.record("the shell cannot carry out \(batch)")
      return
    }
    if isQuick { made?.acknowledge(acknowledgement) } else { waiting.append(acknowledgement) }
  }
}
