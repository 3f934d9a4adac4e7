/// Thrown by `checkProperty` when a property does not hold, or could not be checked.
public struct PropertyFailure: Error, Sendable, CustomStringConvertible {
  /// What kept a property from being shown.
  public enum Reason: Sendable {
    /// A case was found for which the property does not hold.
    case falsified(Counterexample)
    /// The check could not be run as asked: the text says what was wrong and what to do.
    case notRun(String)
    /// The task that ran the check was cancelled, after so many cases had held.
    case cancelled(after: Int)
  }

  /// A case for which a property does not hold, and what is needed to have it again.
  public struct Counterexample: Sendable {
    /// The values that the property failed for first.
    public let original: String
    /// The simplest values found that it fails for in the same way.
    public let shrunk: String
    /// What happened with the simplest values: the error thrown, or that the property returned `false`.
    public let outcome: String
    /// The seed of the whole run.
    public let seed: UInt64
    /// Which case of the run failed, counted from zero.
    public let caseIndex: Int
    /// How many cases the run would have had.
    public let caseCount: Int
    /// The seed that makes this case the first of a run.
    public let caseSeed: UInt64
    /// How many times the case was made simpler.
    public let shrinks: Int
    /// How many simpler cases were tried for that.
    public let tries: Int
    /// Whether trying stopped at its bound or with its task, so that a simpler case may be left.
    public let gaveUp: Bool
  }

  /// What the property was called.
  public let name: String
  /// What kept it from being shown.
  public let reason: Reason

  /// Everything needed to understand the failure and to have it again, over several lines.
  public var description: String {
    switch reason {
    case .falsified(let found): "Property \"\(name)\" does not hold: \(found.outcome).\n" + found.report
    case .notRun(let why): "Property \"\(name)\" was not checked. \(why)"
    case .cancelled(let count): "Property \"\(name)\" was cancelled after \(count) cases. All of them held."
    }
  }
}

extension PropertyFailure.Counterexample {
  fileprivate var report: String {
    let seed = hexadecimal(caseSeed)
    let effort = "\(shrinks) \(shrinks == 1 ? "shrink" : "shrinks"), \(tries) candidates tried"
    return """
        fails for:   \(shrunk)
        shrunk from: \(original) (\(effort)\(gaveUp ? ", stopped early" : ""))
        found in:    case \(caseIndex + 1) of \(caseCount), seed \(hexadecimal(self.seed))
        reproduce:   \(PropertyEnvironment.seedVariable)=\(seed) swift test --filter … \
      or checkProperty(…, seed: \(seed), …) runs this case first
      """
  }
}

func hexadecimal(_ seed: UInt64) -> String { "0x" + String(seed, radix: 16, uppercase: true) }
