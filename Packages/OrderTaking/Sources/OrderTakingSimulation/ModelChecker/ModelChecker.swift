public import OrderTaking

/// An exhaustive search of all states that one operation can reach, with any behaviour of a server, a network and a journal.
///
/// A ``Simulation`` runs one random world. The model checker visits every reachable state: every response, lost, late and duplicated
/// messages, every timer, cancellation and crash at every moment, and every result of every write. States are equal if they differ
/// only in the numbers of requests and the lengths of pauses.
///
/// ```swift
/// let report = ModelChecker().run()
/// print(report.states, report.violations)
/// ```
public struct ModelChecker: Sendable {
  public var policy: TakingPolicy
  /// The maximum number of messages in transit.
  ///
  /// If more are sent, the oldest one is lost.
  public var messages: Int
  /// Whether the server recognises a second PUT by its key.
  ///
  /// Otherwise it answers `already_taken`.
  public var honoursKeys: Bool
  /// The number of states after which the search stops.
  public var limit: Int

  /// A policy with every rule, and with few attempts to keep the number of states small.
  public static let boundedPolicy = TakingPolicy(
    retries: .constant(.seconds(1)), polls: .constant(.seconds(1)), attempts: 2)

  public init(
    policy: TakingPolicy = ModelChecker.boundedPolicy, messages: Int = 2, honoursKeys: Bool = true,
    limit: Int = 1_000_000
  ) {
    self.policy = policy
    self.messages = messages
    self.honoursKeys = honoursKeys
    self.limit = limit
  }

  public struct Report: Sendable {
    public internal(set) var states = 0
    public internal(set) var steps = 0
    public internal(set) var outcomes: Set<TakingOutcome> = []
    public internal(set) var isComplete = true
    /// At most ten violations, each with the steps that lead to it.
    public internal(set) var violations: [String] = []
  }

  public func run() -> Report { run(counting: nil) }

  package func run(counting transitions: TransitionCounter?) -> Report {
    var report = Report()
    var seen: [ModelState.Key: Int] = [:]
    // Each state, with the previous state and step, for the trace of a violation.
    var states: [(state: ModelState, from: Int, step: String)] = []

    func trace(to index: Int) -> String {
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
        if report.violations.count < 10 { report.violations.append("\(wrong), after \(trace(to: index)); \(step)") }
        return
      }
      guard seen[next.stateKey] == nil else { return }
      seen[next.stateKey] = states.count
      if let outcome = next.operation.outcome { report.outcomes.insert(outcome) }
      states.append((next, index, step))
    }

    let model = Model(checker: self, transitions: transitions)
    visit(ModelState().after(.begin, in: model), from: -1, "begin")
    var index = 0
    while index < states.count {
      guard states.count <= limit else {
        report.isComplete = false
        break
      }
      for (next, step) in states[index].state.successors(in: model) { visit(next, from: index, step) }
      index += 1
    }
    report.states = states.count
    return report
  }
}

struct Model {
  let checker: ModelChecker
  let transitions: TransitionCounter?
}
