import Foundation

/// A generated function, which returns equal outputs for equal inputs.
///
/// Use it for laws about all functions, such as the functor and monad laws. A report prints it as a table of its calls.
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
/// every process if the description is.
public struct PureFunction<Input: Hashable & Sendable, Output: Sendable>: Sendable, CustomStringConvertible {
  private let table: Table

  init(outputs: [Output]) {
    table = Table(outputs: outputs)
  }

  /// Returns the output for an input.
  ///
  /// May be called from any thread.
  public func callAsFunction(_ input: Input) -> Output {
    table.output(for: input)
  }

  /// The inputs so far with their outputs, in the order of the first calls: `{ 1 → "a", 2 → "" }`.
  public var description: String {
    let rows = table.rows.map { "\(String(reflecting: $0.input)) → \(String(reflecting: $0.output))" }
    return rows.isEmpty ? "{ never called }" : "{ \(rows.joined(separator: ", ")) }"
  }

  /// Stores the inputs and outputs of the calls, to return equal outputs for equal inputs and for the description.
  private final class Table: @unchecked Sendable {
    // Unchecked: `known` and `inputs` are read and written only while `lock` is held.
    private let lock = NSLock()
    private var known: [Input: Output] = [:]
    private var inputs: [Input] = []
    private let outputs: [Output]

    /// `outputs` must not be empty.
    init(outputs: [Output]) {
      self.outputs = outputs
    }

    func output(for input: Input) -> Output {
      // Describe the input before taking the lock, because that runs foreign code.
      let fallback = outputs[Int(fingerprint(of: String(reflecting: input)) % UInt64(outputs.count))]
      return lock.withLock {
        if let output = known[input] { return output }
        known[input] = fallback
        inputs.append(input)
        return fallback
      }
    }

    var rows: [(input: Input, output: Output)] {
      lock.withLock { inputs.compactMap { input in known[input].map { (input, $0) } } }
    }
  }
}

extension PureFunction: CustomDebugStringConvertible {
  /// The same as ``description``.
  public var debugDescription: String { description }
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

/// Returns a number that depends only on the text, also in other processes: FNV-1a with an additional mix.
private func fingerprint(of text: String) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  var mixer = SeededGenerator(seed: hash)
  return mixer.next()
}
