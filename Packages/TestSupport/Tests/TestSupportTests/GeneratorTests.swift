import Testing

@testable import TestSupport

@Suite("Generators of test values")
struct GeneratorTests {
  @Test("SeededGenerator returns the published numbers of SplitMix64")
  func splitMix() {
    var numbers = SeededGenerator(seed: 1_234_567)
    #expect(numbers.next() == 6_457_827_717_110_365_317)
    #expect(numbers.next() == 3_203_168_211_198_807_973)
  }

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

  @Test("unicodeString contains composed characters, and string contains only printable ASCII")
  func text() throws {
    let text = try Generator.unicodeString.values(count: 500, seed: 1).joined()
    #expect(text.unicodeScalars.contains { $0.value > 0xFFFF })
    #expect(text.contains("\r\n") && text.contains("👨‍👩‍👧‍👦"))
    let plain = try Generator.string.values(count: 200, seed: 1).joined()
    #expect(plain.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) })
  }
}

@Suite("Generated functions")
struct PureFunctionTests {
  @Test("a generated function returns equal outputs for equal inputs, and different outputs for some inputs")
  func pure() throws {
    let functions = try Generator.function(from: Int.self, to: .int).values(count: 20, seed: 1)
    for function in functions {
      let inputs = Array(0..<50)
      #expect(inputs.map { function($0) } == inputs.map { function($0) })
    }
    #expect(functions.contains { function in Set((0..<50).map { function($0) }).count > 1 })
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
