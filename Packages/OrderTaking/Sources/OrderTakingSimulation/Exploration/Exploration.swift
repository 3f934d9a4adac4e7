public import OrderTaking

/// Every way that one operation can go, against a server and a network that do what they like.
///
/// Where a ``Simulation`` draws one world, this goes through all states that can be reached: each answer that the server
/// can give, every message lost, late or doubled, every timer before and after, cancelling at any moment, the process
/// dying at any moment. States are the same when they differ only in numbers of requests and lengths of pauses.
///
/// ```swift
/// let report = Exploration().run()
/// print(report.states, report.violations)
/// ```
public struct Exploration: Sendable {
  /// The rules of the operation.
  public var policy: TakingPolicy
  /// How many messages may be under way at the same time; what is sent beyond it makes the oldest get lost.
  public var messages: Int
  /// Whether the server knows a second PUT by its key; otherwise it answers `already_taken`.
  public var honoursKeys: Bool
  /// Where to stop, when there are more states than that.
  public var limit: Int

  /// A policy with all that a policy can have, and few attempts, so that there are not too many states.
  public static let boundedPolicy = TakingPolicy(
    retries: .constant(.seconds(1)), polls: .constant(.seconds(1)), attempts: 2)

  /// Creates an exploration.
  public init(
    policy: TakingPolicy = Exploration.boundedPolicy, messages: Int = 2, honoursKeys: Bool = true,
    limit: Int = 1_000_000
  ) {
    self.policy = policy
    self.messages = messages
    self.honoursKeys = honoursKeys
    self.limit = limit
  }

  /// What was found.
  public struct Report: Sendable {
    /// How many different states there are.
    public internal(set) var states = 0
    /// How many steps lead from one to another.
    public internal(set) var steps = 0
    /// The ways in which the operation can end.
    public internal(set) var outcomes: Set<TakingOutcome> = []
    /// Whether all were gone through, and the limit was not reached.
    public internal(set) var isComplete = true
    /// What should not be, each with the steps that lead there; at most ten.
    public internal(set) var violations: [String] = []
  }

  /// Goes through all states, from the wish to take an order on.
  public func run() -> Report {
    var report = Report()
    var seen: [ModelState.Key: Int] = [:]
    // Each with where it was first reached from, so that a violation can be told as a story.
    var states: [(state: ModelState, from: Int, step: String)] = []

    func story(to index: Int) -> String {
      var steps: [String] = []
      var index = index
      while index >= 0 {
        steps.append(states[index].step)
        index = states[index].from
      }
      return steps.reversed().joined(separator: "; ")
    }
    func visit(_ next: ModelState, from index: Int, _ step: String) {
      report.steps += 1
      if let wrong = next.wrong {
        if report.violations.count < 10 { report.violations.append("\(wrong), after \(story(to: index)); \(step)") }
        return
      }
      guard seen[next.key] == nil else { return }
      seen[next.key] = states.count
      if let outcome = next.operation.outcome { report.outcomes.insert(outcome) }
      states.append((next, index, step))
    }

    for (state, step) in ModelState.first(self) { visit(state, from: -1, step) }
    var index = 0
    while index < states.count {
      guard states.count <= limit else {
        report.isComplete = false
        break
      }
      for (next, step) in states[index].state.successors(in: self) { visit(next, from: index, step) }
      index += 1
    }
    report.states = states.count
    return report
  }
}
