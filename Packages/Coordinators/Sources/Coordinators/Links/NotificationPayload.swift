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
    case .notJSON: "The notification's payload is not JSON. Send an object with a link."
    case .notAnObject: "The notification's payload is not an object. Send one with a link."
    case .noLink(let key): "The notification's payload has no '\(key)'. Send the link there."
    case .notText(let key): "'\(key)' in the notification's payload is not a text. Send the link as one."
    case .link(let error): "The notification's link: \(error)"
    }
  }
}
