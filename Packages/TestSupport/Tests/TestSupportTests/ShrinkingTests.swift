import TestSupport
import Testing

/// Each wrong property has one simplest counterexample, which shrinking must find from any first case.
@Suite("Shrinking")
struct ShrinkingTests {
  @Test("an array with a large sum shrinks to the fewest and smallest elements", arguments: 0..<20 as Range<UInt64>)
  func sums(seed: UInt64) throws {
    #expect(try falsify(.array(of: .int(in: 0...1_000)), seed: seed) { $0.reduce(0, +) <= 100 }.shrunk == "[101]")
    #expect(try falsify(.array(of: .int(in: 0...60)), seed: seed) { $0.reduce(0, +) <= 100 }.shrunk == "[41, 60]")
  }

  @Test(
    "an array that is not a palindrome shrinks to two elements in ascending order", arguments: 0..<20 as Range<UInt64>)
  func order(seed: UInt64) throws {
    #expect(try falsify(.array(of: .int), seed: seed) { Array($0.reversed()) == $0 }.shrunk == "[0, 1]")
  }

  @Test("equal elements shrink together", arguments: 0..<20 as Range<UInt64>)
  func equals(seed: UInt64) throws {
    #expect(try falsify(.array(of: .int(in: 5...90)), seed: seed) { Set($0).count == $0.count }.shrunk == "[5, 5]")
  }

  @Test("a number shrinks to the simplest failing number", arguments: 0..<20 as Range<UInt64>)
  func bounds(seed: UInt64) throws {
    #expect(try falsify(.int, seed: seed) { $0 > -1_234 }.shrunk == "-1234")
    #expect(try falsify(.int, seed: seed) { abs($0 / 2) < 617 }.shrunk == "1234")
    #expect(try falsify(.uint64, seed: seed) { $0 < 1 << 40 }.shrunk == "\(UInt64(1) << 40)")
    #expect(try falsify(.int(in: 10...900), seed: seed) { _ in false }.shrunk == "10")
    #expect(try falsify(.double(in: -1e9...1e9), seed: seed) { $0 < 3.2 }.shrunk == "4.0")
    #expect(["1.0", "0.75"].contains(try falsify(.double(in: 0...1), seed: seed) { $0 < 0.7 }.shrunk))
    #expect(try falsify(.double(in: 0...1), seed: seed) { $0 == $0.rounded() }.shrunk == "0.5")
    let huge = try falsify(.double(in: -.infinity ... .infinity), seed: seed) { $0 < 1e20 }
    #expect((1e20..<2e20).contains(try #require(Double(huge.shrunk))))
  }

  @Test("values of map, flatMap and filter shrink", arguments: 0..<20 as Range<UInt64>)
  func composed(seed: UInt64) throws {
    let even = Generator.int(in: 0...10_000).map { $0 * 2 }
    #expect(try falsify(even, seed: seed) { $0 < 1_001 }.shrunk == "1002")
    let sized = Generator.int(in: 0...9).flatMap { Generator.int.array(count: $0...$0) }
    #expect(try falsify(sized, seed: seed) { !$0.contains { $0 > 5 } }.shrunk == "[6]")
    let odd = Generator.int(in: 0...10_000).filter { $0 % 2 == 1 }
    #expect(try falsify(odd, seed: seed) { $0 < 1_000 }.shrunk == "1001")
  }

  @Test("strings shrink to the fewest and simplest characters", arguments: 0..<10 as Range<UInt64>)
  func text(seed: UInt64) throws {
    #expect(try falsify(.string, seed: seed) { !$0.contains("Q") }.shrunk == "\"Q\"")
    #expect(try falsify(.unicodeString, seed: seed) { $0.count == $0.unicodeScalars.count }.shrunk.count <= 10)
    #expect(try falsify(.unicodeString, seed: seed) { $0.count < 2 }.shrunk == "\"aa\"")
  }

  indirect enum Tree: Sendable {
    case leaf(Int)
    case branch([Tree])

    var leaves: [Int] {
      switch self {
      case .leaf(let number): [number]
      case .branch(let trees): trees.flatMap(\.leaves)
      }
    }
  }

  @Test("a tree shrinks to one of its leaves", arguments: 0..<20 as Range<UInt64>)
  func trees(seed: UInt64) throws {
    let trees = Generator.recursive(Generator.int(in: 0...100).map(Tree.leaf)) {
      $0.array(count: 0...3).map(Tree.branch)
    }
    let found = try falsify(trees, seed: seed) { !$0.leaves.contains { $0 > 70 } }
    #expect(found.shrunk.hasSuffix("Tree.leaf(71)"))
  }

  @Test("a choice shrinks to the first alternative, and an optional to nil")
  func alternatives() throws {
    #expect(try falsify(.element(of: ["a", "b", "c"])) { $0 == "a" }.shrunk == "\"b\"")
    #expect(try falsify(.oneOf([.int(in: 50...60), .int(in: 1...2)])) { _ in false }.shrunk == "50")
    #expect(try falsify(Generator.int.optional) { _ in false }.shrunk == "nil")
    #expect(try falsify(.bool) { _ in false }.shrunk == "false")
  }

  @Test("shrinking stops after 5,000 candidates and reports that")
  func bound() throws {
    // Only the first case fails, so no candidate is a simpler failure.
    var first: [Int]?
    let found = try falsify(.array(of: .int, count: 400...400)) { numbers in
      if first == nil { first = numbers }
      return numbers != first
    }
    #expect(found.tries == 5_000)
    #expect(found.gaveUp && found.shrunk == found.original)
  }

  @Test("the example in the documentation has the documented result")
  func documented() throws {
    let found = try falsify(.array(of: .int(in: 0...1_000)), seed: PropertyEnvironment.defaultSeed, count: 100) {
      $0.reduce(0, +) <= 100
    }
    #expect(found.shrunk == "[101]" && found.original == "[0, 1000, 3, 1000, 1, 654]")
    #expect((found.shrinks, found.tries, found.caseIndex) == (8, 36, 2))
    #expect(found.caseSeed == 0xF47E_6531_4452_C86D)
  }
}
