internal import Foundation
internal import ImageSnapshotting
internal import Snapshotting
internal import Terminal

enum Difference {
  case text(LineDiff)
  case newText(String)
  /// Images. `old` is `nil` if the reference is absent or unreadable, and `difference` if the images match or cannot be compared.
  case picture(old: Image?, new: Image, difference: Image?, summary: String)
  case bytes(summary: String)

  /// Pixels that match with the settings of the assertion are not marked.
  init(from old: Data?, to new: Data, pathExtension: String?, comparison: [String: String] = [:]) {
    if pathExtension?.lowercased() == "png", let picture = try? Image(reference: new) {
      let reference = old.flatMap { try? Image(reference: $0) }
      let comparison = ImageComparison(settings: comparison)
      let difference = reference.flatMap { comparison.difference(from: $0, to: picture) }
      let new = "a new image of \(picture.width)×\(picture.height) pixels"
      let summary =
        if let difference {
          "\(difference)"
        } else if reference != nil {
          "the files differ, and the images match"
        } else {
          old == nil ? new : "\(new); the reference is not a readable PNG file"
        }
      self = .picture(old: reference, new: picture, difference: difference?.image, summary: summary)
      return
    }
    let text = String(validating: new, as: UTF8.self)
    if let text, !text.contains("\0"), old == nil {
      self = .newText(text)
      return
    }
    guard let text, let reference = String(validating: old ?? Data(), as: UTF8.self),
      !text.contains("\0")
    else {
      let size = old.map { "\($0.count) bytes before, " } ?? ""
      self = .bytes(summary: "\(size)\(new.count) bytes now")
      return
    }
    self = .text(LineDiff(old: reference, new: text))
  }

  func text(color: ColorCapability) -> String {
    switch self {
    case .text(let diff):
      guard !diff.isEmpty else {
        return "The reference equals this snapshot now. Accept it to remove it from the list."
      }
      return DiffLine.lines(of: diff).map { $0.text(color: color) }.joined(separator: "\n")
    case .newText(let text):
      return DiffLine.lines(ofNew: text).map { $0.text(color: color) }.joined(separator: "\n")
    case .picture(_, _, _, let summary), .bytes(let summary): return summary
    }
  }

  /// The lines that change, to find equal changes.
  var changes: [String]? {
    guard case .text(let diff) = self else { return nil }
    return diff.hunks.flatMap(\.lines).filter { $0.kind != .common }.map { ($0.kind == .added ? "+" : "-") + $0.text }
  }
}

extension DiffLine {
  /// The line for a terminal; without colours, changed words are in brackets: `[−old−]` and `{+new+}`.
  fileprivate func text(color: ColorCapability) -> String {
    let (mark, style): (String, Style) =
      switch kind {
      case .header: ("", Style(foreground: .ansi(.cyan)))
      case .common: ("\u{2007}", .dim)
      case .removed: ("\u{2212}", Style(foreground: .ansi(.red)))
      case .added: ("+", Style(foreground: .ansi(.green)))
      }
    let (start, end) = kind == .removed ? ("[\u{2212}", "\u{2212}]") : ("{+", "+}")
    return ([Part(text: mark)] + parts).map { part in
      var style = style
      if part.isChanged { style.attributes.insert(.inverse) }
      let text = part.isChanged && color == .none ? start + part.text + end : part.text
      return style.applied(to: text, color: color)
    }.joined()
  }
}
