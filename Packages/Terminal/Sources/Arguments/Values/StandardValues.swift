extension String: ExpressibleByArgument {
  /// Takes the word as it is; any word is good, the empty one too.
  ///
  /// - Throws: Nothing.
  public init(argument: String) throws(ValidationError) { self = argument }
}

extension Bool: ExpressibleByArgument {
  /// Reads `true` or `false`.
  ///
  /// - Throws: ``ValidationError`` for any other word.
  public init(argument: String) throws(ValidationError) {
    guard let value = Bool(argument) else { throw ValidationError("expected 'true' or 'false'") }
    self = value
  }

  /// `true` and `false`.
  public static var allValueStrings: [String] { ["true", "false"] }
}

extension ExpressibleByArgument where Self: FixedWidthInteger {
  /// Reads a whole number in base ten.
  ///
  /// - Throws: ``ValidationError`` naming the range when the word is no number or lies outside of it.
  public init(argument: String) throws(ValidationError) {
    guard let value = Self(argument) else {
      throw ValidationError("expected a whole number from \(Self.min) to \(Self.max)")
    }
    self = value
  }
}

extension ExpressibleByArgument where Self: LosslessStringConvertible & BinaryFloatingPoint {
  /// Reads a decimal or hexadecimal number, `inf` or `nan`.
  ///
  /// - Throws: ``ValidationError`` for any other word.
  public init(argument: String) throws(ValidationError) {
    guard let value = Self(argument) else { throw ValidationError("expected a number") }
    self = value
  }
}

extension Int: ExpressibleByArgument {}
extension Int8: ExpressibleByArgument {}
extension Int16: ExpressibleByArgument {}
extension Int32: ExpressibleByArgument {}
extension Int64: ExpressibleByArgument {}
extension UInt: ExpressibleByArgument {}
extension UInt8: ExpressibleByArgument {}
extension UInt16: ExpressibleByArgument {}
extension UInt32: ExpressibleByArgument {}
extension UInt64: ExpressibleByArgument {}
extension Double: ExpressibleByArgument {}
extension Float: ExpressibleByArgument {}
