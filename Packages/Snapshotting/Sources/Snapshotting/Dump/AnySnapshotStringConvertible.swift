public import Foundation

/// A type with its own text in dumps.
///
/// ```swift
/// extension Session: AnySnapshotStringConvertible {
///   var snapshotDescription: String { "Session of \(user)" }  // without the token, which changes
/// }
/// ```
///
/// The strategies `dump` and `readable` use the text. Collections, tuples and optionals are always shown by their elements.
public protocol AnySnapshotStringConvertible {
  /// Whether the contents of the value are shown below its description. The default is `false`.
  static var renderChildren: Bool { get }

  /// The text of the value, on one line.
  var snapshotDescription: String { get }
}

extension AnySnapshotStringConvertible {
  public static var renderChildren: Bool { false }
}

extension Character: AnySnapshotStringConvertible {
  public var snapshotDescription: String { debugDescription }
}

extension Data: AnySnapshotStringConvertible {
  public var snapshotDescription: String { debugDescription }
}

extension Date: AnySnapshotStringConvertible {
  /// The date and time to the second, in UTC: `2018-12-17T10:00:00Z`.
  ///
  /// Fractions of a second are lost; the strategy `readable` keeps them.
  public var snapshotDescription: String { utcText(of: self, fraction: false) }
}

extension NSObject: AnySnapshotStringConvertible {
  #if canImport(ObjectiveC)
    /// The debug description without addresses, with the entries of `userInfo` in order.
    @objc open var snapshotDescription: String { objectText(self) }
  #else
    public var snapshotDescription: String { objectText(self) }
  #endif
}

private func objectText(_ object: NSObject) -> String {
  switch object {
  case let error as NSError: errorText(error)
  case let notification as NSNotification: notificationText(notification)
  default: withoutAddresses(object.debugDescription)
  }
}

extension String: AnySnapshotStringConvertible {
  public var snapshotDescription: String { debugDescription }
}

extension Substring: AnySnapshotStringConvertible {
  public var snapshotDescription: String { debugDescription }
}

extension URL: AnySnapshotStringConvertible {
  public var snapshotDescription: String { debugDescription }
}
