public import Foundation
internal import Parallel

extension Snapshotting where Value: Encodable, Format == String {
  /// Shows a value as its JSON, with sorted keys.
  ///
  /// ```swift
  /// assertSnapshot(of: user, as: .json)
  /// ```
  ///
  /// A value that cannot be encoded fails the assertion with what the encoder said.
  public static var json: Snapshotting {
    let options: JSONEncoder.OutputFormatting = [.prettyPrinted, .sortedKeys]
    return encoded(as: "json") { value in
      let encoder = JSONEncoder()
      encoder.outputFormatting = options
      return try encoder.encode(encodable(value))
    }
  }

  /// Shows a value as its JSON, made by an encoder of your own.
  ///
  /// - Parameter encoder: Used for each snapshot, on the thread that takes it; set it up before, and not later.
  public static func json(_ encoder: JSONEncoder) -> Snapshotting {
    let encoder = UnsafeTransfer(encoder)
    return encoded(as: "json") { try encoder.value.encode(encodable($0)) }
  }

  /// Shows a value as its property list, in XML.
  ///
  /// A value that cannot be encoded, a bare number for instance, fails the assertion with what the encoder said.
  public static var plist: Snapshotting {
    encoded(as: "plist") { value in
      let encoder = PropertyListEncoder()
      encoder.outputFormat = .xml
      return try encoder.encode(encodable(value))
    }
  }

  /// Shows a value as its property list, made by an encoder of your own.
  ///
  /// - Parameter encoder: Used for each snapshot, on the thread that takes it; set it up before, and not later. Its
  ///   output is text, so its format has to be one.
  public static func plist(_ encoder: PropertyListEncoder) -> Snapshotting {
    let encoder = UnsafeTransfer(encoder)
    return encoded(as: "plist") { try encoder.value.encode(encodable($0)) }
  }
}

extension Snapshotting where Format == String {
  /// Shows a value of what JSON is made of (dictionaries, arrays, strings, numbers, booleans, `NSNull`) as JSON.
  ///
  /// ```swift
  /// assertSnapshot(of: ["name": "Blobby"] as [String: Any], as: .json)
  /// ```
  ///
  /// Anything else fails the assertion.
  @_disfavoredOverload
  public static var json: Snapshotting {
    encoded(as: "json") { value in
      guard JSONSerialization.isValidJSONObject(value) else { throw NotJSON(type: type(of: value)) }
      return try JSONSerialization.data(withJSONObject: value, options: [.prettyPrinted, .sortedKeys])
    }
  }

  /// Shows what an encoder makes of a value, or fails with what it says.
  private static func encoded(
    as pathExtension: String, _ encode: @escaping @Sendable (Any) throws -> Data
  ) -> Snapshotting {
    Snapshotting(copying: pathExtension, .lines) { value, context in
      let value = UnsafeTransfer(value)
      return Parallel { callback in
        do {
          callback(String(decoding: try encode(value.value), as: UTF8.self))
        } catch {
          context.fail("Cannot encode this value of type \(Value.self) as \(pathExtension): \(error)")
          callback("\(error)")
        }
      }
    }
  }
}

/// The value as what the caller's constraint says it is.
///
/// A closure must not capture a conformance, which might belong to an actor, unless everybody who is generic says that
/// it does not.
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
