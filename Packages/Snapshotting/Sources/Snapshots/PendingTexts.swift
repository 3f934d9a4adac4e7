internal import Foundation
internal import SnapshotStore
internal import Snapshotting

// The texts about a pending snapshot, without control characters except for `testName` and `label`.

extension PendingSnapshot {
  /// Whether the reference was absent when the snapshot was taken.
  var isNew: Bool { inline.map { $0.expected == nil } ?? (referenceFingerprint == nil) }

  var state: String { isNew ? "new" : "changed" }

  /// The test, with the arguments of its case: `parse(_:) → puffin`.
  var testCase: String { ([test] + [arguments].compactMap(\.self)).joined(separator: " → ") }

  /// The test with its suites, as `Suite.test()`.
  var testName: String { (suites + [testCase]).joined(separator: ".") }

  /// The file of the reference without its folder, or the place of an inline snapshot.
  var label: String { String(name.split(separator: "/").last ?? "") }

  /// The key with the fingerprint of the data, so that a command of an old report selects nothing newer.
  var version: String { "\(key)@\(fingerprint ?? "")" }

  var title: String { visible("\(testName)  \(label)") }

  /// The path of the reference, the place of the assertion, and the settings of the comparison.
  var details: String {
    let place = "\(source.file):\(source.line)"
    let settings = comparison.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    let parts = (inline == nil ? [name, place] : ["inline at \(place)"]) + settings
    return visible(parts.joined(separator: ", "))
  }

  /// Whether a word of the command line selects the snapshot.
  ///
  /// It is a test, a suite or both, with or without parentheses, the name of the assertion, or the end of the path of the reference
  /// or of the test file. Each is compared as a whole, so that `json` does not select `asyncValue.1.json`.
  fileprivate func matches(_ word: String) -> Bool {
    let file = source.file.hasSuffix(".swift") ? String(source.file.dropLast(6)) : source.file
    let isPath = ["/\(name)", "/\(source.file)", "/\(file)"].contains { path in
      path.utf8.reversed().starts(with: "/\(word)".utf8.reversed())
    }
    // A raw identifier can contain parentheses.
    let functions = [testCase, test, String(test[..<(test.lastIndex(of: "(") ?? test.endIndex)])]
    let tests = functions.map { suites + [$0] }.flatMap { parts in
      parts.indices.flatMap { first in
        parts.indices[first...].flatMap { last in [".", "/"].map { parts[first...last].joined(separator: $0) } }
      }
    }
    return !word.isEmpty && (isPath || (tests + [named ?? ""]).contains { $0.utf8.elementsEqual(word.utf8) })
  }
}

extension [PendingSnapshot] {
  /// Returns the snapshots that a word of the command line selects.
  ///
  /// The path of a reference or of a test file, or the place of an inline snapshot, selects nothing else.
  func selected(by word: String) -> [PendingSnapshot] {
    let named = filter { snapshot in
      [snapshot.version, snapshot.key, snapshot.name, snapshot.source.file].contains {
        $0.utf8.elementsEqual(word.utf8)
      }
    }
    return named.isEmpty ? filter { $0.matches(word) } : named
  }
}
