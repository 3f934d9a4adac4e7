import TestSupport
import Testing

/// Each wrong property has one simplest counterexample, which shrinking must find from any first case.
@Suite("Shrinking")
struct ShrinkingTests {
  @Test("an array with a large sum shrinks to the fewest and smallest elements", arguments: 0..<20 as Range<UInt64>)
  func sums(seed: UInt64) throws {
    #expect(try falsify(.array(of: .int(in: 0...1_000)), seed: seed) { $0.reduce(0, +) <= 100 } == "[101]")
  }

  @Test(
    "an array that is not a palindrome shrinks to the two simplest elements", arguments: 0..<20 as Range<UInt64>)
  func order(seed: UInt64) throws {
    let shrunk = try falsify(.array(of: .int), seed: seed) { Array($0.reversed()) == $0 }
    #expect(["[0, 1]", "[1, 0]"].contains(shrunk))
  }

  @Test("a number shrinks to the simplest failing number", arguments: 0..<20 as Range<UInt64>)
  func bounds(seed: UInt64) throws {
    #expect(try falsify(.int, seed: seed) { $0 > -1_234 } == "-1234")
    #expect(try falsify(.int, seed: seed) { abs($0 / 2) < 617 } == "1234")
    #expect(try falsify(.uint64, seed: seed) { $0 < 1 << 40 } == "\(UInt64(1) << 40)")
    #expect(try falsify(.int(in: 10...900), seed: seed) { _ in false } == "10")
  }

  @Test("values of map, flatMap and filter shrink", arguments: 0..<20 as Range<UInt64>)
  func composed(seed: UInt64) throws {
    let even = Generator.int(in: 0...10_000).map { $0 * 2 }
    #expect(try falsify(even, seed: seed) { $0 < 1_001 } == "1002")
    let pairs = Generator.int(in: 0...99).flatMap { low in Generator.int(in: low...99).map { [low, $0] } }
    #expect(try falsify(pairs, seed: seed) { $0[0] < 50 } == "[50, 50]")
    let odd = Generator.int(in: 0...10_000).filter { $0 % 2 == 1 }
    let shrunk = try #require(try falsify(odd, seed: seed) { $0 < 1_000 }.flatMap { Int($0) })
    #expect(shrunk > 1_000 && shrunk % 2 == 1)
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
