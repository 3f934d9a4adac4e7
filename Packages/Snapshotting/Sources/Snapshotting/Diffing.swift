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
  /// Returns the bytes of a reference file, always the same for a value.
  ///
  /// If they equal those of the file, an assertion passes without a call of ``diff``.
  public var toData: @Sendable (Value) -> Data

  /// Reads the bytes of a reference file; throws if they are malformed.
  public var fromData: @Sendable (Data) throws -> Value

  /// Returns the difference between the reference and a new value, with files that show it; `nil` if they match.
  public var diff: @Sendable (_ reference: Value, _ new: Value) -> (String, [SnapshotAttachment])?

  /// Returns the settings that differ from an exact comparison, by their names, for a review of the snapshot.
  package var makeSettings: @Sendable () -> [String: String] = { [:] }

  package var settings: [String: String] { makeSettings() }

  /// Returns why a value cannot be compared, for example because a mask is outside of an image; the assertion fails.
  package var problem: @Sendable (Value) -> String? = { _ in nil }

  /// Returns what is suspicious about a value, for example an image of one colour; an assertion reports it as warnings.
  package var warnings: @Sendable (Value) -> [String] = { _ in [] }

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

/// A file that shows why a snapshot does not match, for example a patch or an image with the changes marked.
///
/// The path extension of the name decides how it is shown.
///
/// ```swift
/// SnapshotAttachment.data(png, name: "difference.png")
/// ```
public enum SnapshotAttachment: Sendable, Hashable {
  case data(Data, name: String)

  public var data: Data {
    switch self {
    case .data(let data, _): data
    }
  }

  public var name: String {
    get {
      switch self {
      case .data(_, let name): name
      }
    }
    set { self = .data(data, name: newValue) }
  }

  public init(data: Data, name: String = "attachment") { self = .data(data, name: name) }

  /// Creates an attachment from text, in UTF-8.
  public init(string: String, name: String = "attachment.txt") { self = .data(Data(string.utf8), name: name) }
}

/// The precision of images for assertions that name none, as a configuration sets it.
public enum SnapshotPrecision {
  /// The minimum share of pixels that match, from 0 to 1; without it, 1.
  @TaskLocal public static var precision: Float?

  /// The required similarity of colours, from 0 to 1; without it, 1.
  @TaskLocal public static var perceptualPrecision: Float?
}
