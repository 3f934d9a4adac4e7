internal import Foundation
internal import ImageSnapshotting
internal import Snapshotting
internal import Terminal

/// The difference between a reference and a pending snapshot, as the terminal and the report show it.
struct Difference {
  struct Picture {
    let name: String
    let image: Image
    /// The bytes of the file; `nil` for an image that the command draws.
    var file: Data?
  }

  /// A sentence about images, data, or files without a difference; empty for text.
  private(set) var summary = ""
  private(set) var lines: [DiffLine] = []
  /// The reference, the new image and their difference, as far as they exist.
  private(set) var pictures: [Picture] = []

  /// - Parameters:
  ///   - old: The reference; `nil` if it is absent.
  ///   - new: The snapshot.
  ///   - pathExtension: The path extension of the reference. PNG files are compared as images.
  ///   - comparison: The settings of the assertion. Pixels that match with them are not marked.
  init(from old: Data?, to new: Data, pathExtension: String?, comparison: [String: String] = [:]) {
    if old == new {
      summary = "The reference equals this snapshot now. Accept it to remove it from the list."
    } else if pathExtension?.lowercased() == "png", let image = try? Image(reference: new) {
      addPictures(from: old, to: Picture(name: "new", image: image, file: new), comparison)
    } else if let text = Self.text(new), old == nil {
      lines = DiffLine.lines(ofNew: text)
    } else if let text = Self.text(new), let reference = old.flatMap(Self.text) {
      lines = DiffLine.lines(of: LineDiff(old: reference, new: text))
    } else {
      addBytes(from: old, to: new)
    }
  }

  private static func text(_ data: Data) -> String? {
    data.contains(0) ? nil : String(validating: data, as: UTF8.self)
  }

  private mutating func addPictures(from old: Data?, to new: Picture, _ comparison: [String: String]) {
    guard let old, let image = try? Image(reference: old) else {
      let size = "A new image of \(new.image.width)×\(new.image.height) pixels"
      (summary, pictures) = (old == nil ? size : "\(size); the reference is not a readable PNG file.", [new])
      return
    }
    let difference = ImageComparison(settings: comparison).difference(from: image, to: new.image)
    summary = difference.map { "\($0)" } ?? "The files differ, and the images match."
    pictures = [Picture(name: "reference", image: image, file: old), new]
    if let marked = difference?.image { pictures.append(Picture(name: "difference", image: marked)) }
  }

  /// Shows at most 256 bytes.
  private mutating func addBytes(from old: Data?, to new: Data) {
    guard let old else {
      summary = "\(new.count) bytes"
      lines = DiffLine.lines(ofNew: hexLines(new, in: 0..<256))
      return
    }
    let offset = firstDifference(old, new)
    summary = "\(old.count) bytes before, \(new.count) bytes now; the first difference is at offset \(offset)"
    let start = max(0, offset / 16 - 2) * 16
    let window = start..<(start + 256)
    lines = DiffLine.lines(of: LineDiff(old: hexLines(old, in: window), new: hexLines(new, in: window)))
  }

  /// The text for a terminal; without colours, changed words are in brackets: `[−old−]` and `{+new+}`.
  func text(color: ColorCapability) -> String {
    let texts = lines.map { line in
      let (start, end) = line.kind == .removed ? ("[\u{2212}", "\u{2212}]") : ("{+", "+}")
      return line.row.map { text, style in
        let isBracketed = style.attributes.contains(.inverse) && color == .none
        return style.applied(to: isBracketed ? start + text + end : text, color: color)
      }.joined()
    }
    return ((summary.isEmpty ? [] : [summary]) + texts).joined(separator: "\n")
  }
}

extension DiffLine {
  /// A mark and the parts of the line, with their styles; changed words are inverse.
  var row: [(text: String, style: Style)] {
    let (mark, style): (String, Style) =
      switch kind {
      case .header: ("", .dim)
      case .common: ("  ", .plain)
      case .removed: ("\u{2212} ", Style(foreground: .ansi(.red)))
      case .added: ("+ ", Style(foreground: .ansi(.green)))
      }
    return [(mark, style)]
      + parts.map { part in
        (part.text, Style(foreground: style.foreground, attributes: part.isChanged ? .inverse : style.attributes))
      }
  }
}
