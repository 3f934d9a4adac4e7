import TestSupport
import Testing

/// Each wrong property has one simplest counterexample, which shrinking must find from any first case.
@Suite("Shrinking")
struct ShrinkingTests {
  @Test("an array with a large sum shrinks to the fewest and smallest elements", arguments: 0..<20 as Range<UInt64>)
  func sums(seed: UInt64) throws {
    #expect(try falsify(.array(of: .int(in: 0...1_000)), seed: seed) { $0.reduce(0, +) <= 100 } == "[101]")
  }

  @Test("a number shrinks to the simplest failing number", arguments: 0..<20 as Range<UInt64>)
  func bounds(seed: UInt64) throws {
    #expect(try falsify(.int, seed: seed) { $0 > -1_234 } == "-1234")
    #expect(try falsify(.int, seed: seed) { abs($0 / 2) < 617 } == "1234")
    #expect(try falsify(.uint64, seed: seed) { $0 < 1 << 40 } == "\(UInt64(1) << 40)")
    #expect(try falsify(.int(in: 10...900), seed: seed) { _ in false } == "10")
  }

  @Test("shrinking stops after 5,000 candidates and reports that")
  func bound() throws {
    // Only the value of the first case fails, so no candidate is a simpler failure.
    var first: [Int]?
    let failure = try failure(.array(of: .int, count: 200...200)) { numbers in
      if first == nil { first = numbers }
      return numbers != first
    }
    #expect(failure.description.contains("5000 candidates tried, stopped early)"))
    #expect(failure.counterexample?.shrunk == failure.counterexample?.original)
  }
}

/// Checks a property that does not hold, and returns the simplest failing case.
private func falsify<Value>(
  _ generator: Generator<Value>, seed: UInt64? = nil, _ property: (Value) throws -> Bool
) throws -> String? {
  try failure(generator, seed: seed, property).counterexample?.shrunk
}

/// Checks a property that does not hold, and returns its failure.
func failure<Value>(
  _ generator: Generator<Value>, seed: UInt64? = nil, _ property: (Value) throws -> Bool
) throws -> PropertyFailure {
  try #require(throws: PropertyFailure.self) {
    try checkProperty("falsified", count: 1_000, seed: seed, generator, property: property)
  }
}
