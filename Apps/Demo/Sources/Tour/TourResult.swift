internal import Foundation

/// Something to look at in the report.
enum TourExhibit: Sendable, Equatable {
  /// A PNG.
  case picture(String, png: Data)
  /// Lines as they are.
  case text(String, String)
  /// What was removed and added, line by line.
  case lines(String, String)
  /// Two pictures, as PNGs, and one that marks where they differ.
  case comparison(String, old: Data, new: Data, marked: Data)
  /// What happened when.
  case timeline(String, [TimelineMark])
}

/// What came of one station.
struct TourVisit: Sendable, Equatable {
  /// What came of it, in a few words.
  let summary: String
  let exhibits: [TourExhibit]
}

/// Why a station is not what it should be.
struct TourFailure: Error, Sendable, Equatable, CustomStringConvertible {
  let description: String
}

/// One station, visited.
struct TourStop: Sendable, Equatable {
  let station: TourStation
  let time: Duration
  let outcome: Result<TourVisit, TourFailure>

  var hasPassed: Bool { (try? outcome.get()) != nil }
}

/// The whole tour, done.
struct TourResult: Sendable, Equatable {
  let plan: TourPlan
  let stops: [TourStop]
  let time: Duration

  /// The stations that are not what they should be.
  var failed: [TourStop] { stops.filter { !$0.hasPassed } }

  /// The outcome in a sentence.
  var sentence: String {
    let count = "\(stops.count) \(stops.count == 1 ? "station" : "stations")"
    let time = TourText.time(self.time)
    guard !failed.isEmpty else { return "\(count), all well, in \(time)." }
    return
      "\(count) in \(time), of which \(failed.count) failed: \(failed.map(\.station.title).joined(separator: "; "))."
  }
}
