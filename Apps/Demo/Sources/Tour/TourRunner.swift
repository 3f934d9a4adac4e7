/// What the tour tells while it goes on.
enum TourEvent: Sendable, Equatable {
  /// A station begins; the number counts from 1.
  case began(TourStation, number: Int, of: Int)
  /// A station has ended.
  case ended(TourStop)
}

/// Goes from station to station.
struct TourRunner: Sendable {
  /// Visits one station.
  let visit: @Sendable (TourStation) async throws -> TourVisit
  /// The time since some fixed instant.
  let now: @Sendable () -> Duration
  /// Hears what happens, in order.
  let tell: @Sendable (TourEvent) -> Void

  /// Visits all stations of a plan; one that fails does not keep the tour from the next.
  ///
  /// - Throws: `CancellationError` as soon as the task was cancelled and the station under way has ended.
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
        outcome = .failure(error as? TourFailure ?? TourFailure(description: "\(error)"))
      }
      // What a cancelled station says of itself is nobody's concern.
      if Task.isCancelled { throw CancellationError() }
      let stop = TourStop(station: station, time: now() - begin, outcome: outcome)
      stops.append(stop)
      tell(.ended(stop))
    }
    return TourResult(plan: plan, stops: stops, time: now() - start)
  }
}
