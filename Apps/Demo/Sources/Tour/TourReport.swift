internal import Foundation
internal import Terminal

/// The results of a tour, as a table for the terminal and as one HTML page without external files.
struct TourReport {
  let stops: [TourStop]
  let time: Duration
  let seed: UInt64
  let isFast: Bool

  var failed: [TourStop] { stops.filter { !$0.hasPassed } }

  var sentence: String {
    let count = "\(stops.count) \(stops.count == 1 ? "station" : "stations")"
    guard !failed.isEmpty else { return "\(count) passed in \(seconds(time))." }
    return
      "\(failed.count) of \(count) failed in \(seconds(time)): \(failed.map(\.station.title).joined(separator: ", "))."
  }

  /// The table of all stations for the terminal.
  func table(width: Int?) -> [String] {
    TextTable(
      [.init("Station"), .init("Time", alignment: .right), .init(""), .init("Result")],
      rows: stops.map { [$0.station.title, seconds($0.time), $0.hasPassed ? "ok" : "FAILED", $0.summary] }
    ).lines(width: width)
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
    \(stations)
    \(stops.indices.map(section).joined(separator: "\n"))
    <footer>demo tour \(isFast ? "--fast " : "")--seed \(seed)</footer>
    </body>
    </html>

    """
  }

  private var stations: String {
    let rows = stops.enumerated().map { index, stop in
      let cells = [
        "<a href=\"#station\(index + 1)\">\(stop.station.title.escapedForHTML)</a>",
        stop.station.packages.joined(separator: ", "), seconds(stop.time), stop.hasPassed ? "ok" : "failed",
        stop.summary.escapedForHTML,
      ]
      return (stop.hasPassed ? "" : "bad", cells)
    }
    return table("stations", ["Station", "Packages", "Time", "", "Result"], rows)
  }

  private func timeline(_ events: [TimelineEvent]) -> String {
    let rows = events.map { event in
      let kind = [TimelineEvent.Kind.failure: "bad", .result: "good"][event.kind] ?? ""
      return (kind, [seconds(.seconds(event.at)), event.channel.rawValue, event.text.escapedForHTML])
    }
    return table("timeline", ["Time", "Channel", "Event"], rows)
  }

  private func table(_ kind: String, _ heads: [String], _ rows: [(kind: String, cells: [String])]) -> String {
    func row(_ tag: String, _ cells: [String]) -> String { cells.map { "<\(tag)>\($0)</\(tag)>" }.joined() }
    let lines = ["<tr>\(row("th", heads))</tr>"] + rows.map { "<tr class=\"\($0.kind)\">\(row("td", $0.cells))</tr>" }
    return "<table class=\"\(kind)\">\n\(lines.joined(separator: "\n"))\n</table>"
  }

  private func section(_ index: Int) -> String {
    let stop = stops[index]
    let content =
      switch stop.outcome {
      case .success(let visit): visit.exhibits.map(figure).joined(separator: "\n")
      case .failure(let failure): "<pre class=\"bad\">\(failure.description.escapedForHTML)</pre>"
      }
    return """
      <section id="station\(index + 1)">
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
    case .timeline(let caption, let events): figure(timeline(events), caption, kind: "wide")
    case .comparison(let caption, let old, let new, let marked):
      figure(picture(old, "before") + picture(new, "after") + picture(marked, "difference"), caption, kind: "wide")
    }
  }

  private func figure(_ content: String, _ caption: String, kind: String = "") -> String {
    """
    <figure class="\(kind)">
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

  /// The style sheet, for light and dark mode, and for narrow screens.
  private static let css = """
    :root { color-scheme: light dark; --ink: #1d1d1f; --paper: #fdfdfb; --soft: #6f6f6b; --line: #dedcd6; --box: #f4f2ec;
      --good: #23703a; --bad: #b3261e; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e8e6e1; --paper: #191917; --soft: #8f8d86; --line: #3a3934;
      --box: #24231f; --good: #7bc98f; --bad: #ff8a80; } }
    body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 68rem;
      margin: 2rem auto; padding: 0 1.5rem; }
    h1 { font-size: 1.7rem; margin-bottom: 0; } h2 { font-size: 1.25rem; margin: 2.5rem 0 0; }
    header p { font-weight: 600; } .good { color: var(--good); } .bad { color: var(--bad); } a { color: inherit; }
    table { border-collapse: collapse; width: 100%; } .stations { margin-top: 1.5rem; }
    th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
    th { color: var(--soft); font-weight: 500; } .stations :is(th, td):nth-child(3), .timeline :is(th, td):first-child {
      text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
    .timeline { font-size: .875rem; line-height: 1.3; } .timeline td { overflow-wrap: anywhere; }
    .timeline :is(th, td):nth-child(-n+2) { width: 1%; white-space: nowrap; }
    @media (max-width: 40rem) { .stations :is(th, td):nth-child(2) { display: none; } }
    .exhibits { display: flex; flex-wrap: wrap; gap: 1.25rem; align-items: flex-start; }
    figure { margin: .75rem 0 0; max-width: 100%; } figure.wide { width: 100%; }
    figure.wide img { margin-right: 1rem; } figcaption { color: var(--soft); font-size: .875rem; max-width: 60rem;
      overflow-wrap: anywhere; }
    img { border: 1px solid var(--line); border-radius: 4px; max-width: 100%; box-sizing: border-box; }
    pre { background: var(--box); padding: .75rem 1rem; border-radius: 4px; overflow: auto; max-height: 24rem; margin: 0;
      font: 13px/1.45 ui-monospace, 'DejaVu Sans Mono', monospace; }
    del { color: var(--bad); text-decoration: none; } ins { color: var(--good); text-decoration: none; }
    footer { color: var(--soft); margin-top: 3rem; border-top: 1px solid var(--line); padding-top: .5rem; }
    """
}

extension String {
  /// Control characters are removed, because HTML cannot represent them.
  fileprivate var escapedForHTML: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      default: if scalar.value >= 0x20, scalar.value != 0x7F { result.unicodeScalars.append(scalar) }
      }
    }
    return result
  }
}
