internal import Foundation
internal import ImageSnapshotting
internal import SnapshotStore
internal import Snapshotting

/// One HTML page with all pending snapshots, which needs no other file and no network.
///
/// Decisions in the page become command lines to copy, because a page in a file cannot write references.
struct Report {
  let entries: [(snapshot: PendingSnapshot, difference: Result<Difference, SnapshotError>)]
  var problems: [SnapshotError] = []

  var page: String {
    let count =
      (entries.count == 1 ? "1 pending snapshot" : "\(entries.count) pending snapshots")
      + (problems.isEmpty ? "" : "; some cannot be read")
    let errors = problems.map { "<p class=\"error\" role=\"alert\">\(escapedMarkup($0.description))</p>\n" }
    // Escaped texts cannot contain a slot.
    return [
      ("count", count), ("links", entries.map(link).joined(separator: "\n")),
      ("sections", (errors + entries.map(section)).joined()),
    ].reduce(String(decoding: PackageResources.report_html, as: UTF8.self)) { page, slot in
      page.replacing("<slot name=\"\(slot.0)\"></slot>", with: slot.1)
    }
  }

  private func link(_ entry: (snapshot: PendingSnapshot, difference: Result<Difference, SnapshotError>)) -> String {
    let snapshot = entry.snapshot
    return """
      <a href="#\(escapedMarkup(snapshot.id))"><span class="\(snapshot.state)">\(snapshot.state)</span> \
      \(escapedMarkup(visible(snapshot.testName))) <small>\(escapedMarkup(visible(snapshot.label)))</small></a>
      """
  }

  private func section(_ entry: (snapshot: PendingSnapshot, difference: Result<Difference, SnapshotError>)) -> String {
    let snapshot = entry.snapshot
    let body =
      switch entry.difference {
      case .success(let difference): content(of: difference)
      case .failure(let error): "<p class=\"error\">\(escapedMarkup(error.description))</p>"
      }
    return """
      <section id="\(escapedMarkup(snapshot.id))" data-state="\(snapshot.state)" data-name="\(escapedMarkup(snapshot.version))">
      <h2><span class="\(snapshot.state)">\(snapshot.state)</span> \(escapedMarkup(visible(snapshot.testName)))</h2>
      <p class="path">\(escapedMarkup(snapshot.details))</p>
      \(body)
      <p><button type="button" data-decision="accept" aria-pressed="false">Accept</button>
      <button type="button" data-decision="reject" aria-pressed="false">Reject</button></p>
      </section>

      """
  }

  private func content(of difference: Difference) -> String {
    let summary = difference.summary.isEmpty ? "" : "<p>\(escapedMarkup(difference.summary))</p>\n"
    // Rows of bytes are too wide for two columns.
    return summary + table(difference.lines, isSplit: summary.isEmpty) + figures(difference.pictures)
  }

  private func table(_ lines: [DiffLine], isSplit: Bool) -> String {
    guard !lines.isEmpty else { return "" }
    // A new text has one column.
    guard isSplit, lines.contains(where: { $0.kind != .added }) else {
      return "<table class=\"one\">\n\(lines.map { "<tr>\(cell($0))</tr>" }.joined(separator: "\n"))\n</table>"
    }
    let rows = DiffLine.pairs(of: lines).map { old, new in
      guard let old, old.kind == .header else { return "<tr>\(cell(old))\(cell(new))</tr>" }
      return "<tr class=\"header\"><td colspan=\"2\">\(markup(old))</td></tr>"
    }
    return "<table><thead><tr><th scope=\"col\">Reference</th><th scope=\"col\">New</th></tr></thead><tbody>\n"
      + rows.joined(separator: "\n") + "\n</tbody></table>"
  }

  private func cell(_ line: DiffLine?) -> String {
    line.map { "<td class=\"\($0.kind)\">\(markup($0))</td>" } ?? "<td></td>"
  }

  private func markup(_ line: DiffLine) -> String {
    line.parts.map { $0.isChanged ? "<mark>\(escapedMarkup($0.text))</mark>" : escapedMarkup($0.text) }.joined()
  }

  /// Each image is in the page once; the views place the same elements differently.
  private func figures(_ pictures: [Difference.Picture]) -> String {
    let figures = pictures.compactMap { picture in
      (picture.file ?? (try? picture.image.pngData())).map { data in
        """
        <figure class="\(picture.name)"><figcaption>\(picture.name) \(picture.image.width)×\(picture.image.height)</figcaption>\
        <img src="data:image/png;base64,\(data.base64EncodedString())" alt="\(picture.name)" width="\(picture.image.width)" \
        height="\(picture.image.height)"></figure>
        """
      }
    }
    guard !figures.isEmpty else { return "" }
    return (figures.count > 1 ? Self.views : "") + "<div class=\"pictures\">\(figures.joined())</div>"
  }

  private static let views = """
    <p class="views"><button type="button" data-view="" aria-pressed="true">Side by side</button>
    <button type="button" data-view="slider" aria-pressed="false">Slider</button>
    <button type="button" data-view="overlay" aria-pressed="false">Overlay</button>
    <label class="range">New <input type="range" min="0" max="100" value="50" aria-label="Share of the reference"> Reference</label></p>
    """
}

/// Returns a text as the content or an attribute of HTML or XML, with U+FFFD for characters that XML does not allow.
func escapedMarkup(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "'": result += "&#39;"
    case "\n", "\t", "\r": result.unicodeScalars.append(scalar)
    case _ where scalar.value < 0x20 || scalar.value & 0xFFFE == 0xFFFE || (0x7F..<0xA0).contains(scalar.value):
      result.append("\u{FFFD}")
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}
