internal import Foundation

/// The report of a tour as one HTML page without external files.
struct TourReport {
  let result: TourResult

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
    <title>demo tour: \(result.failed.isEmpty ? "all passed" : "\(result.failed.count) failed")</title>
    <style>
    \(TourStyle.css)
    </style>
    </head>
    <body>
    <header>
    <h1>The packages of Boundaries at work</h1>
    <p class="\(result.failed.isEmpty ? "good" : "bad")">\(result.sentence.escapedForHTML)</p>
    </header>
    \(table)
    \(result.stops.map(section).joined(separator: "\n"))
    <footer>demo tour \(result.plan.usesBrowser ? "" : "--fast ")--seed \(result.plan.seed)</footer>
    </body>
    </html>

    """
  }

  private var table: String {
    let rows = result.stops.map { stop in
      """
      <tr class="\(kind(stop))"><td><a href="#\(stop.station.rawValue)">\(stop.station.title.escapedForHTML)</a></td>\
      <td>\(stop.station.packages.joined(separator: ", "))</td><td class="number">\(TourText.time(stop.time))</td>\
      <td>\(stop.hasPassed ? "ok" : "failed")</td><td>\(TourText.words(stop).escapedForHTML)</td></tr>
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

  private func section(_ stop: TourStop) -> String {
    let content =
      switch stop.outcome {
      case .success(let visit): visit.exhibits.map(figure).joined(separator: "\n")
      case .failure(let failure): "<pre class=\"bad\">\(failure.description.escapedForHTML)</pre>"
      }
    return """
      <section id="\(stop.station.rawValue)" class="\(kind(stop))">
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
}
