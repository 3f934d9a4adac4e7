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
        guard let text = String(validating: data, as: UTF8.self) else { throw NotUTF8() }
        return text
      },
      diff: { old, new in
        guard old.utf8.count + new.utf8.count <= 32 << 20 else {
          return Diffing<Data>.data.diff(Data(old.utf8), Data(new.utf8)).map { ($0.0, []) }
        }
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

public struct NotUTF8: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String {
    "The data is not valid UTF-8. Restore the file, or remove it and record it again."
  }
}
