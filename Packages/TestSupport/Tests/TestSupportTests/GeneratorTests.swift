import Testing

@testable import TestSupport

@Suite("Generators of test values")
struct GeneratorTests {
  @Test("a generator makes the same values from the same seed, and other values from another seed")
  func deterministic() throws {
    let generator = Generator.zip(.array(of: .int), .unicodeString, Generator.int.optional)
    let first = try generator.values(count: 50, seed: 9).map { "\($0)" }
    #expect(try generator.values(count: 50, seed: 9).map { "\($0)" } == first)
    #expect(try generator.values(count: 50, seed: 10).map { "\($0)" } != first)
  }

  @Test("numbers stay in their range and include its bounds")
  func ranges() throws {
    for range in [-5...5, 3...9, -9 ... -3, 7...7, .min ... .max, .max - 3 ... .max] {
      let values = try Generator.int(in: range).values(count: 2_000, seed: 1)
      #expect(values.allSatisfy(range.contains))
      #expect(values.contains(range.lowerBound) && values.contains(range.upperBound))
    }
  }
}

extension Generator {
  /// Returns some values, which are the same for the same seed.
  fileprivate func values(count: UInt64, seed: UInt64) throws -> [Value] {
    try (0..<count).map { index in
      var choices = Choices(seed: seed &+ index << 32)
      return try produce(&choices)
    }
  }
}
