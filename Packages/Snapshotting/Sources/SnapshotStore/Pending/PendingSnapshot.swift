package import Foundation

/// A snapshot that differs from its reference, or has none, and waits for a review.
///
/// It is stored as a small JSON document beside the bytes of the snapshot. Paths are relative to the root of the project.
package struct PendingSnapshot: Codable, Sendable {
  /// The place of an assertion.
  package struct Source: Codable, Sendable {
    package let file: String
    package var line: UInt
    package var column: UInt

    package init(file: String, line: UInt, column: UInt) {
      (self.file, self.line, self.column) = (file, line, column)
    }

    /// Creates the place of an assertion; `nil` outside of the root.
    package init?(_ site: AssertionSite, in root: String) {
      guard let file = ProjectRoot.relative(site.filePath.description, to: root) else { return nil }
      self.init(file: file, line: site.line, column: site.column)
    }

    /// The file, the line and the column.
    var key: String { "\(file):\(line):\(column)" }
  }

  /// The closure of a call that the snapshot replaces.
  package struct Inline: Codable, Sendable {
    /// The text that the test saw; `nil` if the call had none.
    package let expected: String?
    package let closure: InlineCall.Closure
    /// The fingerprint of the source file.
    package var sourceFingerprint: String

    package init(expected: String?, closure: InlineCall.Closure, source: [UInt8]) {
      self.expected = expected
      self.closure = closure
      sourceFingerprint = Fingerprint.of(Data(source))
    }
  }

  /// The version of the document.
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
  /// The path extension of the snapshot, which shows its strategy.
  package let pathExtension: String?
  /// The type of the strategy, such as `Snapshotting<Bird, String>`.
  package let strategy: String?
  /// The settings that differ from an exact comparison, by their names.
  package let comparison: [String: String]?
  package let time: Date
  /// The fingerprint of the snapshot's bytes, which are in a file of their own.
  package let fingerprint: String

  /// Creates the pending snapshot of a reference file or of an inline assertion.
  ///
  /// - Parameters:
  ///   - data: The snapshot.
  ///   - reference: The path of the reference relative to the root; `nil` for an inline snapshot.
  ///   - old: The reference; `nil` if it is absent.
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

  /// The name of the document and of the bytes, without extension.
  package var id: String { Fingerprint.of(key) }

  /// The reference, or the place of an inline snapshot with its column.
  var key: String { reference ?? source.key }

  /// The reference, or the place of an inline snapshot.
  package var name: String { reference ?? "\(source.file):\(source.line)" }
}
