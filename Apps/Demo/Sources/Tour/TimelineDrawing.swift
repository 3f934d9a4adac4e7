internal import Foundation

/// An event for the drawing.
struct TimelineMark: Sendable {
  /// The time since the start.
  let time: Duration
  /// The channel of the event, or `crash`.
  let lane: String
  var kind = TimelineEvent.Kind.step
  let text: String
}

/// The timeline of an order as an SVG drawing.
///
/// Each event has a row and each channel a column. The axis on the left is to scale, and a line connects it to each row.
struct TimelineDrawing {
  let marks: [TimelineMark]
  /// The accessible name of the drawing.
  var name = "Timeline"

  /// The order of the columns, from left to right; other lanes follow.
  private static let knownLanes = ["crash", "server", "http", "push", "wait", "journal", "end"]
  private static let (row, top, axis, laneWidth) = (24.0, 52.0, 18.0, 62.0)
  private static let (timeEnd, firstLane) = (142.0, 176.0)
  /// The maximum length of a text, and the minimum width of the text column in characters.
  private static let (mostLetters, leastLetters) = (140, 84)

  /// The SVG text; equal marks give equal text.
  var svg: String {
    let height = Self.top + Double(max(marks.count, 1)) * Self.row + 12
    let letters = max(Self.leastLetters, marks.map { Self.words(of: $0).count }.max() ?? 0)
    let width = textStart + Double(letters) * 7.3
    return """
      <svg xmlns="http://www.w3.org/2000/svg" class="timeline" viewBox="0 0 \(Self.number(width)) \(Self.number(height))" role="img" aria-label="\(name.escapedForHTML)">
      \((heads + [axisLine] + spines + rows).joined(separator: "\n"))
      </svg>
      """
  }

  private var lanes: [String] {
    let used = marks.map(\.lane)
    let others = used.filter { !Self.knownLanes.contains($0) }
    return (Self.knownLanes.filter(used.contains) + others).reduce(into: []) { lanes, lane in
      if !lanes.contains(lane) { lanes.append(lane) }
    }
  }

  private var textStart: Double { Self.firstLane + Double(lanes.count) * Self.laneWidth - 18 }

  private func x(_ lane: String) -> Double {
    Self.firstLane + Double(lanes.firstIndex(of: lane) ?? 0) * Self.laneWidth
  }

  private func y(_ index: Int) -> Double { Self.top + Double(index) * Self.row }

  private func place(_ time: Duration) -> Double {
    guard let first = marks.first?.time, let last = marks.last?.time, last > first else { return Self.top }
    return Self.top + (time - first) / (last - first) * Double(marks.count - 1) * Self.row
  }

  private var heads: [String] {
    lanes.map { lane in text(lane, x: x(lane), y: 22, anchor: "middle", kind: "lane") }
  }

  private var axisLine: String {
    line((Self.axis, Self.top), (Self.axis, y(max(marks.count - 1, 0))), kind: "axis")
  }

  /// A thin line along each lane, from its first mark to its last.
  private var spines: [String] {
    lanes.compactMap { lane in
      let places = marks.indices.filter { marks[$0].lane == lane }
      guard let first = places.first, let last = places.last, last > first else { return nil }
      return line((x(lane), y(first)), (x(lane), y(last)), kind: "spine")
    }
  }

  private var rows: [String] {
    marks.enumerated().flatMap { index, mark in
      let (y, lane) = (y(index), x(mark.lane))
      let seconds = String(format: "%.3f s", mark.time / .seconds(1))
      return [
        line((Self.axis, place(mark.time)), (Self.timeEnd - 56, y), kind: "lead"),
        text(seconds, x: Self.timeEnd, y: y + 4, anchor: "end", kind: "time"),
        #"<circle class="\#(Self.kind(of: mark))" cx="\#(Self.number(lane))" cy="\#(Self.number(y))" r="5"/>"#,
        text(Self.words(of: mark), x: textStart, y: y + 4, anchor: "start", kind: Self.kind(of: mark)),
      ]
    }
  }

  private static func kind(of mark: TimelineMark) -> String {
    switch mark.kind {
    case .failure: "bad"
    case .result: "good"
    case .step: "plain"
    }
  }

  private static func words(of mark: TimelineMark) -> String {
    // The channel name is not beside the text here.
    let text = mark.lane == "wait" ? "waiting \(mark.text)" : mark.text
    return text.count <= mostLetters ? text : text.prefix(mostLetters - 1) + "…"
  }

  private func line(_ from: (Double, Double), _ to: (Double, Double), kind: String) -> String {
    let places = [("x1", from.0), ("y1", from.1), ("x2", to.0), ("y2", to.1)]
    return "<line class=\"\(kind)\" " + places.map { "\($0)=\"\(Self.number($1))\"" }.joined(separator: " ") + "/>"
  }

  private func text(_ text: String, x: Double, y: Double, anchor: String, kind: String) -> String {
    #"<text class="\#(kind)" x="\#(Self.number(x))" y="\#(Self.number(y))" text-anchor="\#(anchor)">\#(text.escapedForHTML)</text>"#
  }

  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
  }
}

extension String {
  /// The text, escaped for HTML and XML.
  ///
  /// Control characters are removed, because XML cannot represent them.
  var escapedForHTML: String {
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
