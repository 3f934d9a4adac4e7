internal import Foundation
internal import Terminal

enum TourText {
  /// The table of all stations; a narrow table omits the packages.
  static func table(_ result: TourResult, width: Int?) -> [String] {
    let hasPackages = width.map { $0 >= 110 } ?? true
    let lines = fullTable(result, hasPackages).lines()
    guard let width, lines.contains(where: { $0.displayWidth > width }) else { return lines }
    return narrowTable(result, hasPackages, width)
  }

  private static func fullTable(_ result: TourResult, _ hasPackages: Bool) -> TextTable {
    TextTable(
      [.init("Station")] + (hasPackages ? [.init("Packages")] : []) + [
        .init("Time", alignment: .right), .init(""), .init("Result"),
      ],
      rows: result.stops.map { stop in
        [stop.station.title] + (hasPackages ? [stop.station.packages.joined(separator: ", ")] : []) + [
          time(stop.time), stop.hasPassed ? "ok" : "FAILED", words(stop),
        ]
      })
  }

  /// Wraps the result column, or puts each result on its own lines when the table is too narrow.
  private static func narrowTable(_ result: TourResult, _ hasPackages: Bool, _ width: Int) -> [String] {
    var table = fullTable(result, hasPackages)
    let last = table.columns.removeLast()
    var lines = table.lines()
    let left = (lines.map(\.displayWidth).max() ?? 0) + 2
    let isBeside = width - left >= 24
    if !isBeside {
      // Shortens the title, not the status: the row's position and result still identify the station.
      let titles = [table.columns[0].title] + result.stops.map(\.station.title)
      let room = max(width - (left - 2) + (titles.map(\.displayWidth).max() ?? 0), 1)
      table.columns[0].title = titles[0].truncated(toColumns: room)
      table.rows = table.rows.map { [$0[0].truncated(toColumns: room)] + $0.dropFirst() }
      lines = table.lines(width: width)
    }
    let outcomes = [isBeside ? last.title : ""] + result.stops.map(words)
    return zip(lines, outcomes).flatMap { line, outcome in
      guard isBeside else {
        return [line] + (outcome.isEmpty ? [] : outcome.wrapped(toColumns: width - 2)).map { "  " + $0 }
      }
      let parts = outcome.wrapped(toColumns: width - left)
      let starts =
        [line.padded(toColumns: left)]
        + Array(repeating: String(repeating: " ", count: left), count: max(parts.count - 1, 0))
      return zip(starts, parts).map { $0 + $1 }
    }
  }

  static func words(_ stop: TourStop) -> String {
    switch stop.outcome {
    case .success(let visit): visit.summary
    case .failure(let failure): String(failure.description.prefix { !$0.isNewline })
    }
  }

  /// A rounded time: `85 ms`, `4.2 s`.
  static func time(_ duration: Duration) -> String {
    let milliseconds = Int((duration / .milliseconds(1)).rounded())
    guard milliseconds >= 1_000 else { return "\(milliseconds) ms" }
    let tenths = (milliseconds + 50) / 100
    return "\(tenths / 10).\(tenths % 10) s"
  }

  static func json(_ event: TourEvent) -> String {
    struct Began: Encodable { let event = "began", station: String, number: Int, of: Int }
    struct Ended: Encodable {
      let event = "ended", station: String, milliseconds: Int, passed: Bool, packages: [String], summary: String
    }
    switch event {
    case .began(let station, let number, let count):
      return jsonLine(Began(station: station.rawValue, number: number, of: count))
    case .ended(let stop):
      return jsonLine(
        Ended(
          station: stop.station.rawValue, milliseconds: Int((stop.time / .milliseconds(1)).rounded()),
          passed: stop.hasPassed, packages: stop.station.packages, summary: words(stop)))
    }
  }

  static func json(_ result: TourResult, report: String?) -> String {
    struct Done: Encodable { let event = "done", passed: Int, failed: [String], milliseconds: Int, report: String? }
    return jsonLine(
      Done(
        passed: result.stops.count - result.failed.count, failed: result.failed.map(\.station.rawValue),
        milliseconds: Int((result.time / .milliseconds(1)).rounded()), report: report))
  }
}
