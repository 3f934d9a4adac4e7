internal import Foundation

/// An event of a running tour.
enum TourEvent: Sendable, Equatable {
  /// A station begins; the number counts from 1.
  case began(TourStation, number: Int, of: Int)
  case ended(TourStop)
}

/// Visits the stations in order.
struct TourRunner: Sendable {
  let visit: @Sendable (TourStation) async throws -> TourVisit
  /// The time since a fixed instant.
  let now: @Sendable () -> Duration
  /// Called with each event, in order.
  let tell: @Sendable (TourEvent) -> Void

  /// Visits all stations of a plan, also after one has failed.
  ///
  /// - Throws: `CancellationError` after the current station ends, if the task was cancelled.
  func run(_ plan: TourPlan) async throws(CancellationError) -> TourResult {
    let start = now()
    var stops: [TourStop] = []
    for (index, station) in plan.stations.enumerated() {
      if Task.isCancelled { throw CancellationError() }
      tell(.began(station, number: index + 1, of: plan.stations.count))
      let begin = now()
      let outcome: Result<TourVisit, TourFailure>
      do {
        outcome = .success(try await visit(station))
      } catch {
        // The description of a Foundation error is its dump.
        let text = (error as? CocoaError)?.localizedDescription ?? "\(error)"
        outcome = .failure(error as? TourFailure ?? TourFailure(description: text))
      }
      // Ignore the outcome of a cancelled station.
      if Task.isCancelled { throw CancellationError() }
      let stop = TourStop(station: station, time: now() - begin, outcome: outcome)
      stops.append(stop)
      tell(.ended(stop))
    }
    return TourResult(plan: plan, stops: stops, time: now() - start)
  }
}
