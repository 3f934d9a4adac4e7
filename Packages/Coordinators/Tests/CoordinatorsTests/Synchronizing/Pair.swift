import Testing

@testable import Coordinators
@testable import CoordinatorsUIKit

final class Pair {
  var core: Synchronization<TestScreen>
  var shell = Containers<TestScreen>()

  init(_ plan: Plan) throws {
    core = Synchronization(try Tree(plan))
    let first = core.start()
    let outcome = try carryOut(try #require(first))
    #expect(outcome.batch == nil && core.isInStep)
  }

  var isInStep: Bool { core.isInStep && shell.navigation?.root == core.navigation.root }

  func apply(_ intents: Intent<TestScreen>...) throws -> Batch<TestScreen>? {
    var navigation = core.navigation
    for intent in intents { try navigation.apply(intent) }
    return core.want(navigation)
  }

  func perform(_ batch: Batch<TestScreen>) throws -> Acknowledgement {
    let acknowledgement = try shell.perform(batch)
    return try #require(acknowledgement)
  }

  func acknowledge(_ acknowledgement: Acknowledgement) -> SynchronizationStep<TestScreen> {
    core.acknowledge(acknowledgement)
  }

  func acknowledgeLate(_ acknowledgement: Acknowledgement) throws -> SynchronizationStep<TestScreen> {
    var late = acknowledgement
    late.state = try #require(shell.state)
    return core.acknowledge(late)
  }

  func carryOut(_ batch: Batch<TestScreen>) throws -> SynchronizationStep<TestScreen> {
    core.acknowledge(try perform(batch))
  }

  func observe(_ state: ShellState? = nil) throws -> SynchronizationStep<TestScreen> {
    let seen = try #require(state ?? shell.state)
    return core.observe(seen)
  }

  func swipeBack() -> Bool { shell.swipeBack() }
  func select(_ key: TabKey) -> Bool { shell.select(key) }
}
