import Foundation

/// A generated function: some output for each input, always the same for equal inputs.
///
/// For laws that speak of any function, such as those of functors and monads. In a report it prints as the table of the
/// inputs it was asked for.
///
/// ```swift
/// try checkProperty(
///   "mapping two functions in turn is mapping their composition", .array(of: .int),
///   .function(from: Int.self, to: .string), .function(from: String.self, to: .int)
/// ) { numbers, f, g in
///   numbers.map { f($0) }.map { g($0) } == numbers.map { g(f($0)) }
/// }
/// ```
///
/// Which output an input gets depends on the input's description, not on its hash value or on who asks first. So it is the
/// same in the next process and whatever the order in which threads call, for inputs whose description is.
public struct PureFunction<Input: Hashable & Sendable, Output: Sendable>: Sendable, CustomStringConvertible {
  private let table: Table

  init(outputs: [Output]) {
    table = Table(outputs: outputs)
  }

  /// The output for an input.
  ///
  /// May be called from any thread.
  public func callAsFunction(_ input: Input) -> Output {
    table.output(for: input)
  }

  /// The inputs asked for so far with their outputs, in order of first use: `{ 1 → "a", 2 → "" }`.
  public var description: String {
    let rows = table.rows.map { "\(String(reflecting: $0.input)) → \(String(reflecting: $0.output))" }
    return rows.isEmpty ? "{ never called }" : "{ \(rows.joined(separator: ", ")) }"
  }

  /// Remembers what was asked, both to answer equal inputs equally and to print.
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
      // Describing runs the input's own code, so it comes before the lock.
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
  /// A generator of pure functions whose outputs come from another generator; shrinks towards one constant output.
  ///
  /// A function has at most eight different outputs, however many inputs it is given.
  ///
  /// - Parameters:
  ///   - input: The type of the inputs.
  ///   - output: Makes the outputs.
  public static func function<Input, Output>(
    from input: Input.Type = Input.self, to output: Generator<Output>
  ) -> Generator where Value == PureFunction<Input, Output> {
    output.array(count: 1...8).map { PureFunction(outputs: $0) }
  }
}

/// A number that depends on nothing but the text, in every process: FNV-1a, mixed once more.
private func fingerprint(of text: String) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  var mixer = SeededGenerator(seed: hash)
  return mixer.next()
}
