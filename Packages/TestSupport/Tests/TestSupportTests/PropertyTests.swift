import Foundation
import TestSupport
import Testing

@Suite("Property checks")
struct PropertyTests {
  struct Refused: Error {}
  struct Odd: Error {}

  /// The number by which the environment of these tests multiplies the cases.
  private let multiplier = ProcessInfo.processInfo.environment["PROPERTY_COUNT"].flatMap { Int($0) } ?? 1

  @Test("a check of a property that holds tries the given number of cases")
  func holds() throws {
    var seen = 0
    try checkProperty("addition commutes", count: 40, .int(in: -9...9), .int(in: -9...9)) { left, right in
      seen += 1
      return left + right == right + left
    }
    #expect(seen == 40 * multiplier)
    try checkProperty("reversing twice changes nothing", .array(of: .int)) { $0.reversed().reversed() == $0 }
    try checkNeverThrows("nothing is thrown", .int) { number in if number != number { throw Refused() } }
  }

  @Test("the report of the example in the documentation is the documented one")
  func report() throws {
    let failure = try #require(throws: PropertyFailure.self) {
      try checkProperty("sums stay small", seed: 0x5EED, .array(of: .int(in: 0...1000))) { $0.reduce(0, +) <= 100 }
    }
    let cases = 100 * multiplier
    #expect(
      failure.description == """
        Property "sums stay small" does not hold: it returned false.
          fails for:   [101]
          shrunk from: [0, 1000, 3, 1000, 1, 654] (12 shrinks, 30 candidates tried)
          found in:    case 3 of \(cases), seed 0x5EED
          reproduce:   PROPERTY_SEED=0xF47E65314452C86D swift test --filter … or checkProperty(…, seed: 0xF47E65314452C86D, …) \
        runs this case first
        """)
  }

  @Test("the seed of a failed case makes it the first case of the next run")
  func rerun() throws {
    let first = try failure(.int(in: 0...10_000), seed: 3) { $0 % 50 != 7 }
    let again = try failure(.int(in: 0...10_000), seed: first.counterexample?.caseSeed) { $0 % 50 != 7 }
    #expect(!first.description.contains("case 1 of") && again.description.contains("case 1 of"))
    #expect(again.counterexample?.original == first.counterexample?.original)
    #expect(again.counterexample?.shrunk == first.counterexample?.shrunk)
  }

  @Test("a failure reports the thrown error, and shrinking keeps the type of that error")
  func throwing() throws {
    var kinds: Set<String> = []
    for seed in 0..<20 as Range<UInt64> {
      let failure = try failure(.int(in: 0...1_000), seed: seed) { number in
        if number >= 500 { throw Refused() }
        if number > 100 { throw Odd() }
        return true
      }
      let found = try #require(failure.counterexample)
      let beganRefused = try #require(Int(found.original)) >= 500
      #expect(found.outcome == (beganRefused ? "it threw Refused()" : "it threw Odd()"))
      #expect(found.shrunk == (beganRefused ? "500" : "101"))
      kinds.insert(found.outcome)
    }
    #expect(kinds.count == 2)
  }

  @Test("an asynchronous property runs on the caller's actor")
  @MainActor
  func awaits() async throws {
    var seen = 0
    try await checkProperty("awaiting changes nothing", .array(of: .int), .bool) { numbers, _ in
      seen += 1
      return await Task { numbers }.value == numbers
    }
    #expect(seen == 100 * multiplier)
    let failure = await #expect(throws: PropertyFailure.self) {
      try await checkNeverThrows("awaiting hides nothing", .int) { number in
        if await Task(operation: { number }).value > 41 { throw Refused() }
      }
    }
    #expect(failure?.counterexample?.shrunk == "42")
  }

  @Test("cancelling the task ends a check without reporting the current case as a failure")
  func cancellation() async throws {
    let failure = await #expect(throws: PropertyFailure.self) {
      try await Task {
        try await checkNeverThrows("p", .int) { _ in
          withUnsafeCurrentTask { $0?.cancel() }
          try Task.checkCancellation()
        }
      }.value
    }
    #expect(failure?.description.contains("its task was cancelled") == true && failure?.counterexample == nil)
  }

  @Test("the environment sets the seed and multiplies the count, and an invalid value is an error")
  func environment() async {
    await #expect(processExitsWith: .success) {
      setenv("PROPERTY_SEED", "0xF47E65314452C86D", 1)
      setenv("PROPERTY_COUNT", "3", 1)
      var seen = 0
      let failure = #expect(throws: PropertyFailure.self) {
        try checkProperty("p", .array(of: .int(in: 0...1000))) { $0.reduce(0, +) <= 100 }
      }
      #expect(failure?.description.contains("case 1 of 300, seed 0xF47E65314452C86D") == true)
      setenv("PROPERTY_SEED", "random", 1)
      try checkProperty("p", count: 2, .bool) { _ in
        seen += 1
        return true
      }
      #expect(seen == 6)
      for (variable, value) in [("PROPERTY_SEED", "-1"), ("PROPERTY_COUNT", "0"), ("PROPERTY_COUNT", "many")] {
        setenv(variable, value, 1)
        let error = #expect(throws: PropertyFailure.self) { try checkProperty("p", .bool) { _ in true } }
        #expect(error?.description.contains("\(variable) is '\(value)'") == true)
        unsetenv(variable)
      }
    }
  }
}
