public import Foundation

extension Navigation where Screen: Codable {
  /// Returns this navigation as JSON, or throws the error of a screen that cannot be encoded.
  public func archived() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(Archive(version: Archive<Screen>.version, nextID: nextID, root: root))
  }

  /// Restores a navigation that ``archived()`` returned, or throws, so that the app starts afresh.
  ///
  /// ```swift
  /// var saved: Navigation<Screen>?
  /// do { saved = try Navigation(archive: Data(contentsOf: file)) } catch { log("\(error)") }
  /// let app = TerminalApp(start: ApplicationCoordinator.init, restoring: saved, page: page)
  /// ```
  ///
  /// The nodes have new identities, which no node had before.
  public init(archive: Data) throws(ArchiveError) {
    do {
      let version = try JSONDecoder().decode(ArchiveVersion.self, from: archive).version
      guard version == Archive<Screen>.version else { throw ArchiveError.version(version) }
      let archive = try JSONDecoder().decode(Archive<Screen>.self, from: archive)
      guard (0..<Int.max >> 10).contains(archive.nextID) else {
        throw ArchiveError.unreadable("the identity \(archive.nextID) of the next node is out of range")
      }
      try self.init(archive.root, owner: "application", nextID: archive.nextID)
    } catch let error as ArchiveError { throw error } catch { throw .unreadable("\(error)") }
  }
}

/// The reason why a saved navigation cannot be restored.
public enum ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another version of this package wrote the archive. Keep the file if a newer version may read it again.
  case version(Int)
  case unreadable(String)

  public var description: String {
    switch self {
    case .version(let version):
      "Cannot restore the navigation: its version is \(version), but only version 1 is supported. Start without it."
    case .unreadable(let reason):
      "Cannot restore the navigation: \(reason)\(reason.last == "." ? "" : ".") Start without it."
    }
  }
}

private struct ArchiveVersion: Decodable {
  var version: Int
}

private struct Archive<Screen: Hashable & Sendable & Codable>: Codable {
  static var version: Int { 1 }

  var version: Int
  var nextID: Int
  var root: Node<Screen>
}
