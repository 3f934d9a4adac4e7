public import Foundation

extension Links {
  /// Returns the route of the link in the payload of a push notification.
  ///
  /// ```swift
  /// try links.route(forNotification: Data(#"{"aps": {"alert": "…"}, "link": "boundaries://stories/1"}"#.utf8))
  /// ```
  ///
  /// - Throws: ``NotificationPayloadError``.
  public func route(
    forNotification payload: Data, key: String = "link"
  ) throws(NotificationPayloadError) -> Route {
    let object = try? JSONSerialization.jsonObject(with: payload)
    guard let entries = object as? [String: Any] else { throw .notAnObject }
    return try route(forNotification: entries, key: key)
  }

  /// Returns the route of the link in a notification's dictionary, as Apple's platforms provide it.
  ///
  /// - Throws: ``NotificationPayloadError``.
  public func route(
    forNotification payload: [AnyHashable: Any], key: String = "link"
  ) throws(NotificationPayloadError) -> Route {
    guard let link = payload[key] as? String else { throw .noLink(key: key) }
    do throws(LinkError) { return try route(for: link) } catch { throw .link(error) }
  }
}

/// The reason why a push notification leads to no route.
public enum NotificationPayloadError: Error, Equatable, Sendable, CustomStringConvertible {
  case notAnObject
  case noLink(key: String)
  case link(LinkError)

  public var description: String {
    switch self {
    case .notAnObject:
      "Cannot read the notification: its payload is not a JSON object. Send an object that contains a link."
    case .noLink(let key):
      "Cannot read the notification: its payload has no string '\(key)'. Send the link as a string in this field."
    case .link(let error): "Cannot open the link of the notification: \(error)"
    }
  }
}
