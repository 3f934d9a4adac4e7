public import Foundation
internal import Parallel

extension Snapshotting where Value: Encodable, Format == String {
  /// Shows a value as its JSON, with sorted keys.
  ///
  /// ```swift
  /// assertSnapshot(of: user, as: .json)
  /// ```
  ///
  /// A value that cannot be encoded fails the assertion with the error of the encoder.
  public static var json: Snapshotting {
    let options: JSONEncoder.OutputFormatting = [.prettyPrinted, .sortedKeys]
    return encoded(as: "json") { value in
      let encoder = JSONEncoder()
      encoder.outputFormatting = options
      return try encoder.encode(encodable(value))
    }
  }

  /// Shows a value as JSON from a custom encoder.
  ///
  /// - Parameter encoder: Used for each snapshot, on the thread that takes it; configure it before, and do not change it later.
  public static func json(_ encoder: JSONEncoder) -> Snapshotting {
    let encoder = UnsafeTransfer(encoder)
    return encoded(as: "json") { try encoder.value.encode(encodable($0)) }
  }

  /// Shows a value as its property list, in XML.
  ///
  /// A value that cannot be encoded, a bare number for instance, fails the assertion with the error of the encoder.
  public static var plist: Snapshotting {
    encoded(as: "plist") { value in
      let encoder = PropertyListEncoder()
      encoder.outputFormat = .xml
      return try encoder.encode(encodable(value))
    }
  }

  /// Shows a value as a property list from a custom encoder.
  ///
  /// - Parameter encoder: Used for each snapshot, on the thread that takes it; configure it before, and do not change it later. Its
  ///   output format must be text.
  public static func plist(_ encoder: PropertyListEncoder) -> Snapshotting {
    let encoder = UnsafeTransfer(encoder)
    return encoded(as: "plist") { try encoder.value.encode(encodable($0)) }
  }
}

extension Snapshotting where Format == String {
  /// Shows a JSON object (dictionaries, arrays, strings, numbers, booleans, `NSNull`) as JSON.
  ///
  /// ```swift
  /// assertSnapshot(of: ["name": "Blobby"] as [String: Any], as: .json)
  /// ```
  ///
  /// Other values fail the assertion.
  @_disfavoredOverload
  public static var json: Snapshotting {
    encoded(as: "json") { value in
      guard JSONSerialization.isValidJSONObject(value) else { throw NotJSON(type: type(of: value)) }
      return try JSONSerialization.data(withJSONObject: value, options: [.prettyPrinted, .sortedKeys])
    }
  }

  private static func encoded(
    as pathExtension: String, _ encode: @escaping @Sendable (Any) throws -> Data
  ) -> Snapshotting {
    Snapshotting(pathExtension, .lines) { value, context, callback in
      do {
        callback(String(decoding: try encode(value), as: UTF8.self))
      } catch {
        context.fail("Cannot encode this value of type \(Value.self) as \(pathExtension): \(error)")
        callback("\(error)")
      }
    }
  }
}

/// A closure must not capture a conformance, because the conformance can be isolated to an actor.
private func encodable(_ value: Any) throws -> any Encodable {
  guard let value = value as? any Encodable else { throw NotJSON(type: type(of: value)) }
  return value
}

private struct NotJSON: Error, CustomStringConvertible {
  let type: Any.Type

  var description: String {
    """
    \(type) is not a JSON value. JSON has dictionaries with string keys, arrays, strings, finite numbers, booleans and \
    NSNull, with a dictionary or an array at the top level. Make it Encodable, or use another strategy, such as 'readable'.
    """
  }
}
