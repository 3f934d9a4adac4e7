public import Foundation

/// How two values of a format are compared, and how one is written to a file and read back.
///
/// ```swift
/// let numbers = Diffing<Int>(
///   toData: { Data("\($0)".utf8) },
///   fromData: { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
/// ) { old, new in
///   old == new ? nil : ("Expected \(old), got \(new)", [])
/// }
/// ```
///
/// The closures may be called from any thread.
///
/// Source: *Async Functional Refactoring*, and swift-snapshot-testing.
public struct Diffing<Value>: Sendable {
  /// The bytes of a reference file.
  ///
  /// The same value gives the same bytes: an assertion takes equal bytes for equal values, and does not call
  /// ``diff`` then.
  public var toData: @Sendable (Value) -> Data

  /// Reads a reference file; an error says why it cannot be one.
  public var fromData: @Sendable (Data) throws -> Value

  /// What is different between the reference and a new value, for a person to read, with files to look at; `nil` when they
  /// match.
  public var diff: @Sendable (_ reference: Value, _ new: Value) -> (String, [SnapshotAttachment])?

  /// Creates a way to compare.
  ///
  /// - Parameters:
  ///   - toData: The bytes of a reference file; the same for the same value.
  ///   - fromData: Reads a reference file. It may throw.
  ///   - diff: Compares the reference with a new value: a message and attachments, or `nil` when they match.
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
