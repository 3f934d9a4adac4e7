public import Foundation

extension Links {
  /// The route that a push notification leads to: its payload has a link, and a link goes one way only.
  ///
  /// ```swift
  /// try links.route(forNotification: Data(#"{"aps": {"alert": "…"}, "link": "boundaries://stories/1"}"#.utf8))
  /// ```
  ///
  /// - Parameters:
  ///   - payload: The payload, as JSON.
  ///   - key: Where the link is in the payload's outermost object.
  /// - Throws: ``NotificationPayloadError``.
  public func route(
    forNotification payload: Data, key: String = "link"
  ) throws(NotificationPayloadError) -> Route {
    guard let object = try? JSONSerialization.jsonObject(with: payload) else { throw .notJSON }
    guard let entries = object as? [String: Any] else { throw .notAnObject }
    return try route(forNotification: entries, key: key)
  }

  /// The route that a push notification leads to, from the dictionary that Apple's platforms hand over.
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

/// Why a push notification leads nowhere.
public enum NotificationPayloadError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The payload is not JSON.
  case notJSON
  /// The payload is JSON, but no object.
  case notAnObject
  /// The payload has nothing at the key.
  case noLink(key: String)
  /// What the payload has at the key is no text.
  case notText(key: String)
  /// The link leads nowhere.
  case link(LinkError)

  /// What is wrong, and what would be right.
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
