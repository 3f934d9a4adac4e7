package import Foundation

/// Stored as a small JSON document beside the bytes of the snapshot.
///
/// Paths are relative to the root of the project.
package struct PendingSnapshot: Codable, Sendable {
  package struct Source: Codable, Sendable {
    package let file: String
    package var line: UInt
    package var column: UInt

    package init(file: String, line: UInt, column: UInt) {
      (self.file, self.line, self.column) = (file, line, column)
    }

    package init?(_ site: AssertionSite, in root: String) {
      guard let file = ProjectRoot.relative(site.filePath.description, to: root) else { return nil }
      self.init(file: file, line: site.line, column: site.column)
    }

    var key: String { "\(file):\(line):\(column)" }
  }

  /// The closure of a call that the snapshot replaces.
  package struct Inline: Codable, Sendable {
    /// The text that the test saw; `nil` if the call had none.
    package let expected: String?
    package let closure: InlineCall.Closure
    package var sourceFingerprint: String

    package init(expected: String?, closure: InlineCall.Closure, source: [UInt8]) {
      self.expected = expected
      self.closure = closure
      sourceFingerprint = Fingerprint.of(Data(source))
    }
  }

  static let currentVersion = 1

  let version: Int
  /// The path of the reference; `nil` for an inline snapshot.
  package let reference: String?
  /// The fingerprint of the reference that the snapshot was compared with; `nil` if it was absent.
  package let referenceFingerprint: String?
  package var inline: Inline? = nil
  package var source: Source
  /// The function of the test, as `#function` has it.
  package let test: String
  /// The suites of the test, from the outermost.
  package let suites: [String]
  package let pathExtension: String?
  /// The type of the strategy, such as `Snapshotting<Bird, String>`.
  package let strategy: String?
  /// The settings that differ from an exact comparison, by their names.
  package let comparison: [String: String]?
  package let time: Date
  package let fingerprint: String

  package init(
    _ data: Data, of reference: String? = nil, over old: Data? = nil, inline: Inline? = nil, source: Source,
    test: String,
    suites: [String] = [], pathExtension: String? = "txt", strategy: String? = nil, comparison: [String: String]? = nil,
    time: Date
  ) {
    version = Self.currentVersion
    self.reference = reference
    referenceFingerprint = old.map(Fingerprint.of)
    self.inline = inline
    self.source = source
    self.test = test
    self.suites = suites
    self.pathExtension = pathExtension
    self.strategy = strategy
    self.comparison = comparison
    self.time = time
    fingerprint = Fingerprint.of(data)
  }

  package var id: String { Fingerprint.of(key) }

  /// The reference, or the place of an inline snapshot with its column.
  var key: String { reference ?? source.key }

  package var name: String { reference ?? "\(source.file):\(source.line)" }
}
