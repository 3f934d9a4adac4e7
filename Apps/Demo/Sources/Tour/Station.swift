internal import Foundation
internal import ImageSnapshotting
internal import WebSnapshotting

/// A part of the tour.
///
/// To add a station, add a file with its value, and a line in ``all``.
struct Station: Sendable {
  let title: String
  /// The packages that the station shows, without `Terminal`, which all stations use.
  let packages: [String]
  let about: String
  var needsBrowser = false
  let run: @Sendable (TourContext) async throws -> TourVisit

  static let all: [Station] = [
    .birds, .parallel, .orderWithFaults, .orderWithCrash, .screens, .web, .snapshots, .simulations,
  ]
}

/// The resources of the stations.
struct TourContext: Sendable {
  /// The folder for journals and other files of one tour.
  let folder: URL
  /// `nil` in a tour without a browser.
  let browser: Browser?
  let seed: UInt64

  func require(_ condition: Bool, _ otherwise: @autoclosure () -> String) throws(DemoError) {
    guard condition else { throw DemoError(otherwise()) }
  }
}

struct TourVisit: Sendable {
  /// The result in a few words.
  let summary: String
  let exhibits: [TourExhibit]
}

enum TourExhibit: Sendable {
  case picture(String, png: Data)
  case text(String, String)
  case lines(String, String)
  /// Two pictures and their marked difference, as PNG.
  case comparison(String, old: Data, new: Data, marked: Data)
  case timeline(String, [TimelineEvent])
}

/// A station that has ended.
struct TourStop: Sendable {
  let station: Station
  let time: Duration
  let outcome: Result<TourVisit, DemoError>

  var hasPassed: Bool { (try? outcome.get()) != nil }

  var summary: String {
    switch outcome {
    case .success(let visit): visit.summary
    case .failure(let failure): String(failure.description.prefix { !$0.isNewline })
    }
  }
}
