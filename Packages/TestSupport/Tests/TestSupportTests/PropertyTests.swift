import Foundation
import TestSupport
import Testing

@Suite("Property checks")
struct PropertyTests {
  struct Refused: Error {}
  struct Odd: Error {}

  /// The multiplier of the environment in which these tests run.
  let countMultiplier: Int

  init() throws {
    countMultiplier = try PropertyEnvironment(variables: ProcessInfo.processInfo.environment).countMultiplier
  }

  @Test("a check of a property that holds tries the given number of cases")
  func holds() throws {
    var seen = 0
    try checkProperty("addition commutes", count: 40, .int(in: -9...9), .int(in: -9...9)) { left, right in
      seen += 1
      return left + right == right + left
    }
    #expect(seen == 40 * countMultiplier)
    try checkProperty("reversing twice changes nothing", .array(of: .int)) { $0.reversed().reversed() == $0 }
    try checkNeverThrows("nothing is thrown", .int) { number in if number != number { throw Refused() } }
  }

  @Test("a failure reports the shrunk case, the original case, and the seed that reproduces it")
  func report() throws {
    let failure = try #require(throws: PropertyFailure.self) {
      try checkProperty("sums stay small", seed: 7, .array(of: .int(in: 0...1000))) { $0.reduce(0, +) <= 100 }
    }
    guard case .falsified(let found) = failure.reason else { throw failure }
    let seed = "0x" + String(found.caseSeed, radix: 16, uppercase: true)
    let lines = failure.description.split(separator: "\n").map(String.init)
    #expect(lines[0] == "Property \"sums stay small\" does not hold: it returned false.")
    #expect(lines[1] == "  fails for:   [101]")
    #expect(lines[2] == "  shrunk from: \(found.original) (\(found.shrinks) shrinks, \(found.tries) candidates tried)")
    #expect(lines[3] == "  found in:    case \(found.caseIndex + 1) of \(100 * countMultiplier), seed 0x7")
    #expect(lines[4].contains("PROPERTY_SEED=\(seed) swift test") && lines[4].contains("seed: \(seed)"))
  }

  @Test("the seed of a failed case makes it the first case of the next run")
  func rerun() throws {
    let first = try falsify(.int(in: 0...10_000), seed: 3) { $0 % 50 != 7 }
    let again = try falsify(.int(in: 0...10_000), seed: first.caseSeed) { $0 % 50 != 7 }
    #expect(first.caseIndex > 0)
    #expect(again.caseIndex == 0)
    #expect(again.original == first.original && again.shrunk == first.shrunk)
  }

  @Test("a failure reports the thrown error, and shrinking keeps the type of that error")
  func throwing() throws {
    var kinds: Set<String> = []
    for seed in 0..<20 as Range<UInt64> {
      let found = try falsify(.int(in: 0...1_000), seed: seed) { number in
        if number >= 500 { throw Refused() }
        if number > 100 { throw Odd() }
        return true
      }
      let beganRefused = try #require(Int(found.original)) >= 500
      #expect(found.outcome == (beganRefused ? "it threw Refused()" : "it threw Odd()"))
      #expect(found.shrunk == (beganRefused ? "500" : "101"))
      kinds.insert(found.outcome)
    }
    #expect(kinds.count == 2)
  }

  @Test("a check with a count below one or a generator without values throws an error")
  func notRun() throws {
    let count = try #require(throws: PropertyFailure.self) { try checkProperty("p", count: 0, .bool) { _ in true } }
    #expect(count.description.contains("Cannot run 0 cases"))
    let filter = try #require(throws: PropertyFailure.self) {
      try checkProperty("p", Generator.int.filter { _ in false }) { _ in true }
    }
    #expect(filter.description.contains("rejected 1000 values in a row"))
    let empty = try #require(throws: PropertyFailure.self) {
      try checkProperty("p", Generator<Int>.oneOf([])) { _ in true }
    }
    #expect(empty.description.contains("Cannot choose from"))
  }

  @Test("an asynchronous property runs on the caller's actor")
  @MainActor
  func awaits() async throws {
    var seen = 0
    try await checkProperty("awaiting changes nothing", .array(of: .int), .bool) { numbers, _ in
      seen += 1
      return await Task { numbers }.value == numbers
    }
    #expect(seen == 100 * countMultiplier)
    let failure = await #expect(throws: PropertyFailure.self) {
      try await checkNeverThrows("awaiting hides nothing", .int) { number in
        if await Task(operation: { number }).value > 41 { throw Refused() }
      }
    }
    guard case .falsified(let found)? = failure?.reason else { return }
    #expect(found.shrunk == "42")
  }

  @Test("cancelling the task ends a check without reporting the current case as a failure")
  func cancellation() async throws {
    let failure = await #expect(throws: PropertyFailure.self) {
      try await Task {
        var seen = 0
        try await checkNeverThrows("p", .int) { _ in
          seen += 1
          if seen == 4 { withUnsafeCurrentTask { $0?.cancel() } }
          try await Task.sleep(for: .zero)
          try Task.checkCancellation()
        }
      }.value
    }
    guard case .cancelled(after: 3)? = failure?.reason else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }

  @Test("PropertyEnvironment reads the seed and the count multiplier, and rejects invalid values")
  func environment() throws {
    let none = try PropertyEnvironment(variables: [:])
    #expect(none.seed == .fixed(PropertyEnvironment.defaultSeed) && none.countMultiplier == 1)
    #expect(try PropertyEnvironment(variables: ["PROPERTY_SEED": "0xfF"]).seed == .fixed(255))
    #expect(try PropertyEnvironment(variables: ["PROPERTY_SEED": "12"]).seed == .fixed(12))
    #expect(try PropertyEnvironment(variables: ["PROPERTY_SEED": "random"]).seed == .random)
    #expect(try PropertyEnvironment(variables: ["PROPERTY_COUNT": "10"]).countMultiplier == 10)
    for (variable, value) in [("PROPERTY_SEED", "-1"), ("PROPERTY_COUNT", "0"), ("PROPERTY_COUNT", "many")] {
      let error = try #require(throws: PropertyEnvironment.InvalidValue.self) {
        try PropertyEnvironment(variables: [variable: value])
      }
      #expect(error.description.hasPrefix("Cannot read the environment variable \(variable): '\(value)'"))
    }
  }
}

/// Checks a property that does not hold and returns the counterexample.
func falsify<Value>(
  _ generator: Generator<Value>, seed: UInt64? = nil, count: Int = 1_000, _ property: (Value) throws -> Bool
) throws -> PropertyFailure.Counterexample {
  let failure = try #require(throws: PropertyFailure.self) {
    try checkProperty("falsified", count: count, seed: seed, generator, property: property)
  }
  guard case .falsified(let found) = failure.reason else { throw failure }
  return found
}
