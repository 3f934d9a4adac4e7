import Coordinators

@testable import CoordinatorsUIKit

/// Simulated containers that perform and record batches.
///
/// Gestures change them without a notification.
struct Containers<Screen: Hashable & Sendable> {
  private(set) var batches: [Batch<Screen>] = []
  private(set) var navigation: Navigation<Screen>?

  var state: ShellState? { navigation?.state }

  mutating func perform(_ batch: Batch<Screen>) throws -> Acknowledgement? {
    batches.append(batch)
    if navigation == nil, case .setRoot(let root)? = batch.commands.first {
      navigation = Navigation(root: root, nextID: 0)
    }
    navigation = try navigation?.performing(batch.commands)
    return state.map { Acknowledgement(batch: batch.number, state: $0) }
  }

  @discardableResult
  mutating func swipeBack() -> Bool { change(navigation?.popIntent) }

  @discardableResult
  mutating func dismissModal() -> Bool { change(navigation?.dismissIntent) }

  @discardableResult
  mutating func select(_ key: TabKey) -> Bool { change(navigation?.selectIntent(key)) }

  @discardableResult
  mutating func closeTab(_ key: TabKey) -> Bool {
    change(navigation.flatMap { shown in shown.visibleTabs.flatMap { shown.closing(key, in: $0.id) } })
  }

  private mutating func change(_ intent: Intent<Screen>?) -> Bool {
    guard let intent, let after = try? navigation?.applying(intent) else { return false }
    navigation = after
    return true
  }
}

/// A shell of simulated containers, which acknowledges at once or later.
@MainActor
final class ContainerShell<Screen: NavigationScreen> {
  private(set) var containers = Containers<Screen>()
  private var waiting: [Acknowledgement] = []
  private let driver = ShellDriver<Screen>()
  var isQuick = true
  private(set) var failures: [String] = []

  init() { driver.perform = { [unowned self] in perform($0) } }

  var navigator: Navigator<Screen>? {
    get { driver.navigator }
    set { driver.navigator = newValue }
  }

  func show(_ navigation: Navigation<Screen>) { driver.show(navigation) }

  func gesture(_ act: (inout Containers<Screen>) -> Bool) {
    if act(&containers), let state = containers.state { driver.observe(state) }
  }

  var isLate: Bool { !waiting.isEmpty }

  func catchUp() {
    let late = waiting
    waiting = []
    for var acknowledgement in late {
      if let state = containers.state { acknowledgement.state = state }
      driver.acknowledge(acknowledgement)
    }
  }

  func agrees(with navigation: Navigation<Screen>?) -> Bool { containers.state == navigation?.state }

  private func perform(_ batch: Batch<Screen>) {
    do {
      guard let acknowledgement = try containers.perform(batch) else { return }
      if isQuick { driver.acknowledge(acknowledgement) } else { waiting.append(acknowledgement) }
    } catch { failures.append("\(error)") }
  }
}
