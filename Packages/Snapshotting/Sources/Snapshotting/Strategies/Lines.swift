internal import Foundation

extension Snapshotting where Value == String, Format == String {
  /// Takes text as it is, and tells differences by lines.
  ///
  /// ```swift
  /// assertSnapshot(of: "Puffin\nSwift", as: .lines)
  /// ```
  public static var lines: Snapshotting { Snapshotting(pathExtension: "txt", diffing: .lines) }
}

extension Diffing where Value == String {
  /// Compares text by its bytes, and tells differences by lines, as hunks.
  ///
  /// Two ways to write one letter (é as one code point or as two) are different, and so are line ends of one byte and of
  /// two; what cannot be seen in the lines is told below them (see ``LineDiff``). Reading throws ``NotUTF8`` when a reference file is not UTF-8.
  public static var lines: Diffing {
    Diffing(
      toData: { Data($0.utf8) },
      fromData: { data in
        guard let text = String(validating: data, as: UTF8.self) else { throw NotUTF8(data) }
        return text
      },
      diff: { old, new in
        let difference = LineDiff(old: old, new: new)
        guard !difference.isEmpty else { return nil }
        let patch = difference.text
        // The reference and the failed snapshot say the same as a huge patch.
        let isHuge = patch.utf8.count > 16 << 20
        return (
          difference.formatted(), isHuge ? [] : [SnapshotAttachment(string: patch, name: "difference.patch")]
        )
      })
  }
}

/// The error of a reference file that should be text, and is not UTF-8.
public struct NotUTF8: Error, Hashable, Sendable, CustomStringConvertible {
  /// The offset of the first byte that is not UTF-8.
  public let offset: Int

  /// Finds the place in bytes that are known not to be UTF-8.
  init(_ data: Data) {
    var decoder = UTF8()
    var bytes = data.makeIterator()
    var valid = 0
    while case .scalarValue(let scalar) = decoder.decode(&bytes) { valid += UTF8.width(scalar) }
    offset = valid
  }

  /// What is wrong, and what to do.
  public var description: String {
    "The data is not valid UTF-8: the first invalid byte is at offset \(offset). Restore the file, or remove it and record it again."
  }
}
