import TestSupport
import Testing

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
    let generator = Generator.zip(.array(of: .int), .unicodeString, .double(in: -1...1), Generator.int.optional)
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
    for range in [-0.5...0.25, 3...3.5, -1e300...1e300, -7 ... -6.5] {
      #expect(try Generator.double(in: range).values(count: 2_000, seed: 1).allSatisfy(range.contains))
    }
    let infinite = try Generator.double(in: -.infinity ... .infinity).values(count: 500, seed: 1)
    #expect(infinite.allSatisfy { $0.isFinite })
    #expect(infinite.contains { abs($0) > 1e100 })
  }

  @Test("arrays have every allowed length")
  func counts() throws {
    let counts = try Generator.bool.array(count: 2...5).values(count: 500, seed: 1).map(\.count)
    #expect(Set(counts) == [2, 3, 4, 5])
    #expect(try Generator.array(of: .bool, count: -3 ... -1).values(count: 3, seed: 1) == [[], [], []])
  }

  @Test("frequency draws from its generators according to their weights")
  func weights() throws {
    let generator = Generator.frequency([(1, .always("rare")), (9, .always("often")), (0, .always("never"))])
    let values = try generator.values(count: 1_000, seed: 1)
    #expect((60...140).contains(values.filter { $0 == "rare" }.count))
    #expect(!values.contains("never"))
    let heavy = Generator.frequency([(.max, .always(1)), (.max, .always(2)), (.max, .always(3))])
    #expect(try Set(heavy.values(count: 100, seed: 1)).isSubset(of: [1, 2, 3]))
  }

  @Test("a filter that rejects every value and a choice without elements throw errors")
  func errors() throws {
    let never = try #require(throws: GeneratorError.self) {
      try Generator.always(3).filter { $0 > 3 }.values(count: 1, seed: 1)
    }
    #expect(never.description.contains("1000 values in a row, the last one 3"))
    #expect(throws: GeneratorError.self) { try Generator<Int>.element(of: []).values(count: 1, seed: 1) }
    #expect(throws: GeneratorError.self) { try Generator<Int>.frequency([]).values(count: 1, seed: 1) }
  }

  @Test("a recursive generator with many branches ends")
  func ends() throws {
    let wide = Generator.recursive(Generator.int.map { [$0] }, depth: 8) { smaller in
      smaller.array(count: 20...40).map { Array($0.joined().prefix(10)) }
    }
    _ = try wide.map(\.count).values(count: 1, seed: 4)
  }

  @Test("a generator can draw from other generators in several steps")
  func steps() throws {
    let prefixes = Generator { choices throws(GeneratorError) in
      let numbers = try choices.draw(.array(of: .int(in: 0...9), count: 1...9))
      return numbers.prefix(try choices.draw(.int(in: 0...numbers.count)))
    }
    try checkProperty("a prefix has digits", prefixes) { $0.allSatisfy((0...9).contains) }
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

  @Test("the outputs of a generated function do not depend on the order of calls")
  func order() throws {
    let generator = Generator.function(from: String.self, to: .int)
    let forth = try #require(try generator.values(count: 1, seed: 5).first)
    let back = try #require(try generator.values(count: 1, seed: 5).first)
    let inputs = (0..<50).map { "input \($0)" }
    #expect(inputs.map { forth($0) } == Array(inputs.reversed().map { back($0) }.reversed()))
  }

  @Test("a property can use generated functions to state a law")
  func laws() throws {
    try checkProperty(
      "mapping twice equals mapping the composition", .array(of: .int),
      .function(from: Int.self, to: .string), .function(from: String.self, to: .int)
    ) { numbers, f, g in
      numbers.map { f($0) }.map { g($0) } == numbers.map { g(f($0)) }
    }
  }

  @Test("a generated function shrinks towards a constant, and prints the inputs of its calls")
  func prints() throws {
    let functions = Generator.function(from: Int.self, to: .int(in: 0...100))
    #expect(try falsify(functions) { $0(1) < 10 || $0(2) < 10 }.shrunk == "{ 1 → 10, 2 → 10 }")
    #expect(try falsify(functions) { _ in false }.shrunk == "{ never called }")
  }

  @Test("a generated function can be called from several threads")
  func threads() async throws {
    let function = try #require(try Generator.function(from: Int.self, to: .int).values(count: 1, seed: 3).first)
    let expected = (0..<20).map { function($0) }
    let wrong = Log<Int>()
    await hammer(threads: 4, iterations: 200) { _, iteration in
      if function(iteration % 20) != expected[iteration % 20] { wrong.append(iteration) }
    }
    #expect(wrong.all.isEmpty)
  }
}
