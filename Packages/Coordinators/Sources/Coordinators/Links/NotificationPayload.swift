public import Foundation

extension Links {
  /// Returns the route of the link in the payload of a push notification.
  ///
  /// ```swift
  /// try links.route(forNotification: Data(#"{"aps": {"alert": "…"}, "link": "boundaries://stories/1"}"#.utf8))
  /// ```
  ///
  /// - Parameters:
  ///   - payload: The payload, as JSON.
  ///   - key: The key of the link in the outermost object of the payload.
  /// - Throws: ``NotificationPayloadError``.
  public func route(
    forNotification payload: Data, key: String = "link"
  ) throws(NotificationPayloadError) -> Route {
    guard let object = try? JSONSerialization.jsonObject(with: payload) else { throw .notJSON }
    guard let entries = object as? [String: Any] else { throw .notAnObject }
    return try route(forNotification: entries, key: key)
  }

  /// Returns the route of the link in a notification's dictionary, as Apple's platforms provide it.
  ///
  /// - Throws: ``NotificationPayloadError``.
  public func route(
    forNotification payload: [AnyHashable: Any], key: String = "link"
  ) throws(NotificationPayloadError) -> Route {
    guard let entry = payload[key] else { throw .noLink(key: key) }
    guard let link = entry as? String else { throw .notText(key: key) }
    do throws(LinkError) { return try route(for: link) } catch { throw .link(error) }
  }
}

/// The reason why a push notification leads to no route.
public enum NotificationPayloadError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The payload is not JSON.
  case notJSON
  /// The payload is JSON, but not an object.
  case notAnObject
  /// The payload lacks the key.
  case noLink(key: String)
  /// The value at the key is not a string.
  case notText(key: String)
  /// The link leads to no route.
  case link(LinkError)

  /// The cause, and the next step.
  public var description: String {
    switch self {
    case .notJSON: "Cannot read the notification: its payload is not JSON. Send a JSON object that contains a link."
    case .notAnObject:
      "Cannot read the notification: its payload is not a JSON object. Send an object that contains a link."
    case .noLink(let key): "Cannot read the notification: its payload has no '\(key)'. Send the link in this field."
    case .notText(let key):
      "Cannot read the notification: '\(key)' in its payload is not a string. Send the link as a string."
    case .link(let error): "Cannot open the link of the notification: \(error)"
    }
  }
}
