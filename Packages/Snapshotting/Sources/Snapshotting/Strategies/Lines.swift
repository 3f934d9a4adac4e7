internal import Foundation

extension Snapshotting where Value == String, Format == String {
  /// Returns text unchanged, and shows differences by lines.
  ///
  /// ```swift
  /// assertSnapshot(of: "Puffin\nSwift", as: .lines)
  /// ```
  public static var lines: Snapshotting { Snapshotting(pathExtension: "txt", diffing: .lines) }
}

extension Diffing where Value == String {
  /// Compares text by its bytes, and shows differences by lines, as hunks.
  ///
  /// The two Unicode forms of é differ, and so do line endings. Notes below the hunks describe invisible differences (see ``LineDiff``).
  /// Reading throws ``NotUTF8`` if a reference file is not UTF-8.
  public static var lines: Diffing {
    Diffing(
      toData: { Data($0.utf8) },
      fromData: { data in
        guard let text = String(validating: data, as: UTF8.self) else { throw NotUTF8(data) }
        return text
      },
      diff: { old, new in
        guard old.utf8.count + new.utf8.count <= 32 << 20 else { return hugeDifference(old, new) }
        let difference = LineDiff(old: old, new: new)
        guard !difference.isEmpty else { return nil }
        let patch = difference.text
        // A huge patch would only repeat the reference and the failed snapshot.
        let isHuge = patch.utf8.count > 16 << 20
        return (
          difference.formatted(), isHuge ? [] : [SnapshotAttachment(string: patch, name: "difference.patch")]
        )
      })
  }
}

/// Describes the first difference between two texts that are too long for a diff.
private func hugeDifference(_ old: String, _ new: String) -> (String, [SnapshotAttachment])? {
  var (old, new) = (old, new)
  return old.withUTF8 { old in
    new.withUTF8 { new in
      let offset = commonPrefix(old, new)
      guard offset < old.count || offset < new.count else { return nil }
      let lineStart = old[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      let line = lineStarts(of: UnsafeBufferPointer(rebasing: old[..<offset])).count - 1
      func excerpt(_ text: UnsafeBufferPointer<UInt8>) -> String {
        let line = text[max(lineStart, offset - 200)...].prefix(400).prefix { $0 != UInt8(ascii: "\n") }
        return String(decoding: line, as: UTF8.self)
      }
      return (
        """
        The texts have \(old.count) and \(new.count) bytes, which is too long for a diff. The first difference is in line \(line), \
        byte \(offset - lineStart + 1):

        \u{2212}\(excerpt(old))
        +\(excerpt(new))
        """, []
      )
    }
  }
}

/// The error of a text reference that is not UTF-8.
public struct NotUTF8: Error, Hashable, Sendable, CustomStringConvertible {
  /// The offset of the first invalid byte.
  public let offset: Int

  /// Finds the first invalid byte.
  init(_ data: Data) {
    var decoder = UTF8()
    var bytes = data.makeIterator()
    var valid = 0
    while case .scalarValue(let scalar) = decoder.decode(&bytes) { valid += UTF8.width(scalar) }
    offset = valid
  }

  /// The problem and its solution.
  public var description: String {
    "The data is not valid UTF-8: the first invalid byte is at offset \(offset). Restore the file, or remove it and record it again."
  }
}
