public import Foundation

/// Compares two values of a format, writes a value to a file and reads it.
///
/// ```swift
/// let numbers = Diffing<Int>(
///   toData: { Data("\($0)".utf8) },
///   fromData: { data in
///     guard let number = Int(String(decoding: data, as: UTF8.self)) else { throw InvalidReference() }
///     return number
///   }
/// ) { old, new in
///   old == new ? nil : ("Expected \(old), got \(new)", [])
/// }
/// ```
///
/// The closures may be called from any thread.
///
/// Source: *Async Functional Refactoring* (Point-Free, 2018), and swift-snapshot-testing.
public struct Diffing<Value>: Sendable {
  /// Returns the bytes of a reference file.
  ///
  /// The same value must have the same bytes. If the bytes are equal, an assertion passes without a call of ``diff``.
  public var toData: @Sendable (Value) -> Data

  /// Reads the bytes of a reference file.
  ///
  /// Throws if they are malformed.
  public var fromData: @Sendable (Data) throws -> Value

  /// Returns the difference between the reference and a new value, with files that show it; `nil` if they match.
  public var diff: @Sendable (_ reference: Value, _ new: Value) -> (String, [SnapshotAttachment])?

  /// The settings that differ from an exact comparison, by their names, for a review of the snapshot.
  package var settings: [String: String] = [:]

  /// Creates a comparison.
  @preconcurrency
  public init(
    toData: @escaping @Sendable (_ value: Value) -> Data,
    fromData: @escaping @Sendable (_ data: Data) throws -> Value,
    diff: @escaping @Sendable (_ reference: Value, _ new: Value) -> (String, [SnapshotAttachment])?
  ) {
    self.toData = toData
    self.fromData = fromData
    self.diff = diff
  }
}
