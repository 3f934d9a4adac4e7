extension String: ExpressibleByArgument {
  /// Uses the word unchanged; every word is valid, including the empty one.
  ///
  /// - Throws: Nothing.
  public init(argument: String) throws(ValidationError) { self = argument }
}

extension Bool: ExpressibleByArgument {
  /// Parses `true` or `false`.
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
  /// Parses a whole number in base ten.
  ///
  /// - Throws: ``ValidationError`` with the valid range when the word is not a number or is out of range.
  public init(argument: String) throws(ValidationError) {
    guard let value = Self(argument) else {
      throw ValidationError("expected a whole number from \(Self.min) to \(Self.max)")
    }
    self = value
  }
}

extension ExpressibleByArgument where Self: LosslessStringConvertible & BinaryFloatingPoint {
  /// Parses a decimal or hexadecimal number, `inf` or `nan`.
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
