internal import Foundation

/// A figure in the report.
enum TourExhibit: Sendable, Equatable {
  case picture(String, png: Data)
  /// Plain text.
  case text(String, String)
  /// A line diff.
  case lines(String, String)
  /// Two pictures and their marked difference, as PNG.
  case comparison(String, old: Data, new: Data, marked: Data)
  case timeline(String, [TimelineMark])
}

struct TourVisit: Sendable, Equatable {
  /// The result in a few words.
  let summary: String
  let exhibits: [TourExhibit]
}

struct TourFailure: Error, Sendable, Equatable, CustomStringConvertible {
  let description: String
}

struct TourStop: Sendable, Equatable {
  let station: TourStation
  let time: Duration
  let outcome: Result<TourVisit, TourFailure>

  var hasPassed: Bool { (try? outcome.get()) != nil }
}

struct TourResult: Sendable, Equatable {
  let plan: TourPlan
  let stops: [TourStop]
  let time: Duration

  var failed: [TourStop] { stops.filter { !$0.hasPassed } }

  var sentence: String {
    let count = "\(stops.count) \(stops.count == 1 ? "station" : "stations")"
    let time = TourText.time(self.time)
    guard !failed.isEmpty else { return "\(count) passed in \(time)." }
    return
      "\(failed.count) of \(count) failed in \(time): \(failed.map(\.station.title).joined(separator: ", "))."
  }
}
