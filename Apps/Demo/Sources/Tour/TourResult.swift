internal import Foundation

/// A figure in the report.
enum TourExhibit: Sendable, Equatable {
  /// A PNG.
  case picture(String, png: Data)
  /// Plain text.
  case text(String, String)
  /// A line diff.
  case lines(String, String)
  /// Two pictures and their marked difference, as PNG.
  case comparison(String, old: Data, new: Data, marked: Data)
  /// The time-line of an order.
  case timeline(String, [TimelineMark])
}

/// The result of a station.
struct TourVisit: Sendable, Equatable {
  /// The result in a few words.
  let summary: String
  let exhibits: [TourExhibit]
}

/// The reason why a station failed.
struct TourFailure: Error, Sendable, Equatable, CustomStringConvertible {
  let description: String
}

/// A visited station.
struct TourStop: Sendable, Equatable {
  let station: TourStation
  let time: Duration
  let outcome: Result<TourVisit, TourFailure>

  var hasPassed: Bool { (try? outcome.get()) != nil }
}

/// The result of the whole tour.
struct TourResult: Sendable, Equatable {
  let plan: TourPlan
  let stops: [TourStop]
  let time: Duration

  /// The stations that failed.
  var failed: [TourStop] { stops.filter { !$0.hasPassed } }

  /// The result in a sentence.
  var sentence: String {
    let count = "\(stops.count) \(stops.count == 1 ? "station" : "stations")"
    let time = TourText.time(self.time)
    guard !failed.isEmpty else { return "\(count) passed in \(time)." }
    return
      "\(failed.count) of \(count) failed in \(time): \(failed.map(\.station.title).joined(separator: ", "))."
  }
}
