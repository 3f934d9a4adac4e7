internal import Foundation
internal import Terminal

/// The results of a tour, as a table for the terminal and as one HTML page without external files.
struct TourReport {
  let stops: [TourStop]
  let time: Duration
  let seed: UInt64
  let isFast: Bool

  var failed: [TourStop] { stops.filter { !$0.hasPassed } }

  /// The result in a sentence.
  var sentence: String {
    let count = "\(stops.count) \(stops.count == 1 ? "station" : "stations")"
    guard !failed.isEmpty else { return "\(count) passed in \(Self.text(time))." }
    return
      "\(failed.count) of \(count) failed in \(Self.text(time)): \(failed.map(\.station.title).joined(separator: ", "))."
  }

  /// The table of all stations.
  ///
  /// A narrow table omits the packages, and wraps the results.
  func table(width: Int) -> [String] {
    let hasPackages = width >= 110
    let left = TextTable(
      [.init("Station")] + (hasPackages ? [.init("Packages")] : []) + [.init("Time", alignment: .right), .init("")],
      rows: stops.map { stop in
        [stop.station.title] + (hasPackages ? [stop.station.packages.joined(separator: ", ")] : []) + [
          Self.text(stop.time), stop.hasPassed ? "ok" : "FAILED",
        ]
      }
    ).lines()
    let indent = (left.map(\.displayWidth).max() ?? 0) + 2
    return zip(left, ["Result"] + stops.map(\.summary)).flatMap { line, result in
      result.wrapped(toColumns: max(width - indent, 20)).enumerated().map { number, part in
        (number == 0 ? line : "").padded(toColumns: indent) + part
      }
    }
  }

  /// A rounded time: `85 ms`, `4.2 s`.
  private static func text(_ duration: Duration) -> String {
    let milliseconds = Int((duration / .milliseconds(1)).rounded())
    guard milliseconds >= 1_000 else { return "\(milliseconds) ms" }
    let tenths = (milliseconds + 50) / 100
    return "\(tenths / 10).\(tenths % 10) s"
  }
}

extension TourReport {
  /// Marks the page as a report, so that a later tour may replace it.
  static let generator = #"<meta name="generator" content="demo tour">"#

  /// The page; equal results give equal text.
  var html: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    \(Self.generator)
    <meta name="viewport" content="width=device-width">
    <title>demo tour: \(failed.isEmpty ? "all passed" : "\(failed.count) failed")</title>
    <style>
    \(Self.css)
    </style>
    </head>
    <body>
    <header>
    <h1>The packages of Boundaries at work</h1>
    <p class="\(failed.isEmpty ? "good" : "bad")">\(sentence.escapedForHTML)</p>
    </header>
    \(table)
    \(stops.indices.map(section).joined(separator: "\n"))
    <footer>demo tour \(isFast ? "--fast " : "")--seed \(seed)</footer>
    </body>
    </html>

    """
  }

  private var table: String {
    let rows = stops.enumerated().map { index, stop in
      """
      <tr class="\(kind(stop))"><td><a href="#station\(index + 1)">\(stop.station.title.escapedForHTML)</a></td>\
      <td>\(stop.station.packages.joined(separator: ", "))</td><td class="number">\(Self.text(stop.time))</td>\
      <td>\(stop.hasPassed ? "ok" : "failed")</td><td>\(stop.summary.escapedForHTML)</td></tr>
      """
    }
    return """
      <div class="scroll">
      <table>
      <tr><th>Station</th><th>Packages</th><th class="number">Time</th><th></th><th>Result</th></tr>
      \(rows.joined(separator: "\n"))
      </table>
      </div>
      """
  }

  private func section(_ index: Int) -> String {
    let stop = stops[index]
    let content =
      switch stop.outcome {
      case .success(let visit): visit.exhibits.map(figure).joined(separator: "\n")
      case .failure(let failure): "<pre class=\"bad\">\(failure.description.escapedForHTML)</pre>"
      }
    return """
      <section id="station\(index + 1)" class="\(kind(stop))">
      <h2>\(stop.station.title.escapedForHTML)</h2>
      <p>\(stop.station.about.escapedForHTML)</p>
      <div class="exhibits">
      \(content)
      </div>
      </section>
      """
  }

  private func figure(_ exhibit: TourExhibit) -> String {
    switch exhibit {
    case .picture(let caption, let png): figure(picture(png, caption), caption)
    case .text(let caption, let text): figure("<pre>\(text.escapedForHTML)</pre>", caption)
    case .lines(let caption, let text):
      figure("<pre>\(text.split(separator: "\n").map(line).joined(separator: "\n"))</pre>", caption)
    case .timeline(let caption, let marks):
      figure(
        "<div class=\"scroll\">\n\(TimelineDrawing(marks: marks, name: caption).svg)\n</div>", caption, kind: "wide")
    case .comparison(let caption, let old, let new, let marked):
      figure(picture(old, "before") + picture(new, "after") + picture(marked, "difference"), caption, kind: "wide")
    }
  }

  private func figure(_ content: String, _ caption: String, kind: String = "") -> String {
    """
    <figure\(kind.isEmpty ? "" : " class=\"\(kind)\"")>
    \(content)
    <figcaption>\(caption.escapedForHTML)</figcaption>
    </figure>
    """
  }

  private func picture(_ png: Data, _ words: String) -> String {
    "<img alt=\"\(words.escapedForHTML)\" src=\"data:image/png;base64,\(png.base64EncodedString())\">"
  }

  /// A line of a diff: removed, added, or unchanged.
  private func line(_ line: Substring) -> String {
    let text = String(line).escapedForHTML
    return switch line.first {
    case "−", "-": "<del>\(text)</del>"
    case "+": "<ins>\(text)</ins>"
    default: text
    }
  }

  private func kind(_ stop: TourStop) -> String { stop.hasPassed ? "good" : "bad" }

  /// The style sheet, for light and dark mode.
  private static let css = """
    :root { color-scheme: light dark; --ink: #1d1d1f; --paper: #fdfdfb; --soft: #8a8a86; --line: #dedcd6; --box: #f4f2ec;
      --good: #23703a; --bad: #b3261e; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e8e6e1; --paper: #191917; --soft: #8f8d86; --line: #3a3934;
      --box: #24231f; --good: #7bc98f; --bad: #ff8a80; } }
    body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 68rem;
      margin: 2rem auto; padding: 0 1.5rem; }
    h1 { font-size: 1.7rem; margin-bottom: 0; } h2 { font-size: 1.25rem; margin: 2.5rem 0 0; }
    header p, td.good { font-weight: 600; } p.good { color: var(--good); } .bad, tr.bad td { color: var(--bad); }
    table { border-collapse: collapse; width: 100%; margin-top: 1.5rem; } a { color: inherit; }
    th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
    th { color: var(--soft); font-weight: 500; } .number { text-align: right; font-variant-numeric: tabular-nums;
      white-space: nowrap; }
    .exhibits { display: flex; flex-wrap: wrap; gap: 1.25rem; align-items: flex-start; }
    figure { margin: .75rem 0 0; max-width: 100%; } figure.wide { width: 100%; }
    figure.wide img { margin-right: 1rem; } figcaption { color: var(--soft); font-size: .875rem; max-width: 60rem;
      overflow-wrap: anywhere; }
    img { border: 1px solid var(--line); border-radius: 4px; max-width: 100%; }
    pre { background: var(--box); padding: .75rem 1rem; border-radius: 4px; overflow: auto; max-height: 24rem; margin: 0;
      font: 13px/1.45 ui-monospace, 'DejaVu Sans Mono', monospace; }
    del { color: var(--bad); text-decoration: none; } ins { color: var(--good); text-decoration: none; }
    footer { color: var(--soft); margin-top: 3rem; border-top: 1px solid var(--line); padding-top: .5rem; }
    .scroll { overflow-x: auto; } .scroll table { min-width: 34rem; }
    .timeline { width: 100%; min-width: 56rem; font: 12px ui-monospace, 'DejaVu Sans Mono', monospace; }
    .timeline text { fill: var(--ink); } .timeline .time, .timeline .lane { fill: var(--soft); }
    .timeline line { stroke: var(--line); stroke-width: 1; } .timeline .axis { stroke: var(--soft); stroke-width: 2; }
    .timeline circle { fill: var(--soft); } .timeline .good { fill: var(--good); } .timeline .bad { fill: var(--bad); }
    """
}
