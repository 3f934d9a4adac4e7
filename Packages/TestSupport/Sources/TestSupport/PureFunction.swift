/// A generated function, which returns equal outputs for equal inputs.
///
/// Use it for laws about all functions.
///
/// ```swift
/// try checkProperty(
///   "mapping two functions equals mapping their composition", .array(of: .int),
///   .function(from: Int.self, to: .string), .function(from: String.self, to: .int)
/// ) { numbers, f, g in
///   numbers.map { f($0) }.map { g($0) } == numbers.map { g(f($0)) }
/// }
/// ```
///
/// The output depends on the input's description, not on its hash value or on the order of calls. So it is the same in
/// every process if the description is. A report prints the possible outputs.
public struct PureFunction<Input, Output: Sendable>: Sendable {
  private let outputs: [Output]

  fileprivate init(outputs: [Output]) {
    self.outputs = outputs
  }

  /// Returns the output for an input.
  public func callAsFunction(_ input: Input) -> Output {
    // FNV-1a. The seeded generator mixes its bits.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in String(reflecting: input).utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    var numbers = SeededGenerator(seed: hash)
    return outputs[Int(numbers.next(through: UInt64(outputs.count - 1)))]
  }
}

extension Generator {
  /// A generator of pure functions with outputs of another generator, which shrink towards a constant function.
  ///
  /// A function has at most eight different outputs for any number of inputs.
  ///
  /// - Parameters:
  ///   - input: The type of the inputs.
  ///   - output: The generator of the outputs.
  public static func function<Input, Output>(
    from input: Input.Type = Input.self, to output: Generator<Output>
  ) -> Generator where Value == PureFunction<Input, Output> {
    output.array(count: 1...8).map { PureFunction(outputs: $0) }
  }
}
