/// The error of `checkProperty` if a property does not hold or cannot be checked.
public struct PropertyFailure: Error, Sendable, CustomStringConvertible {
  /// The reason for a failed check.
  public enum Reason: Sendable {
    /// The property does not hold for a case.
    case falsified(Counterexample)
    /// The check could not run. The text describes the problem and its solution.
    case notRun(String)
    /// The task of the check was cancelled after this number of cases.
    case cancelled(after: Int)
  }

  /// A case for which a property does not hold, and the seed that reproduces it.
  public struct Counterexample: Sendable {
    /// The values of the first failure.
    public let original: String
    /// The simplest values with the same kind of failure.
    public let shrunk: String
    /// The outcome for the simplest values: a thrown error or `false`.
    public let outcome: String
    /// The seed of the whole run.
    public let seed: UInt64
    /// The index of the failed case.
    public let caseIndex: Int
    /// The number of cases of a complete run.
    public let caseCount: Int
    /// The seed that makes this case the first of a run.
    public let caseSeed: UInt64
    /// The number of times that the case was made simpler.
    public let shrinks: Int
    /// The number of candidates that were tried.
    public let tries: Int
    /// Whether shrinking stopped at its limit or with its task, so that a simpler case may exist.
    public let gaveUp: Bool
  }

  /// The name of the property.
  public let name: String
  /// The reason for the failure.
  public let reason: Reason

  /// A report of several lines with the case and the seed that reproduces it.
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
