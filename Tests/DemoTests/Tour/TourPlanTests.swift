import Foundation
import TestSupport
import Testing

@testable import Demo

@Suite("Plan and run of the tour")
struct TourPlanTests {
  @Test("the whole tour visits every station, and the fast tour skips the browser")
  func plan() {
    let whole = TourPlan(fast: false, seed: 1)
    #expect(whole.stations == TourStation.allCases && whole.usesBrowser)
    let fast = TourPlan(fast: true, seed: 1)
    #expect(fast.stations == [.birds, .parallel, .order, .crash, .screens, .snapshots, .simulation])
    #expect(!fast.usesBrowser)
  }

  @Test("every demonstrated package has a station")
  func everyPackageHasStation() {
    let seen = Set(TourStation.allCases.flatMap(\.packages))
    #expect(seen == ["Coordinators", "Futures", "Loopback", "OrderTaking", "Parallel", "Snapshotting"])
  }

  @Test("each station is announced, visited and reported in order with its duration")
  func stationsRunInOrder() async throws {
    let ticks = Ticks()
    let (events, continuation) = AsyncStream.makeStream(of: TourEvent.self)
    let runner = TourRunner(
      visit: { TourVisit(summary: $0.rawValue, exhibits: []) }, now: { ticks.next() }, tell: { continuation.yield($0) })
    let result = try await runner.run(TourPlan(fast: true, seed: 1))
    continuation.finish()
    var reported: [TourEvent] = []
    for await event in events { reported.append(event) }
    #expect(
      reported
        == result.plan.stations.enumerated().flatMap { index, station in
          [
            TourEvent.began(station, number: index + 1, of: 7),
            .ended(
              TourStop(
                station: station, time: .seconds(1),
                outcome: .success(TourVisit(summary: station.rawValue, exhibits: [])))),
          ]
        })
    #expect(result.time == .seconds(15) && result.failed.isEmpty)
    #expect(result.sentence == "7 stations passed in 15.0 s.")
  }

  @Test("a failed station does not stop the tour, and the tour counts as failed")
  func failedStation() async throws {
    struct Broken: Error, CustomStringConvertible { let description = "no such bird" }
    let runner = TourRunner(
      visit: { station in
        if station == .birds { throw Broken() }
        return TourVisit(summary: "fine", exhibits: [])
      }, now: { .zero }, tell: { _ in })
    let result = try await runner.run(TourPlan(fast: false, seed: 1))
    #expect(result.stops.count == 8 && result.failed.map(\.station) == [.birds])
    #expect(result.stops[0].outcome == .failure(TourFailure(description: "no such bird")))
    #expect(result.sentence == "1 of 8 stations failed in 0 ms: Birds over HTTP.")
    let failure = TourFailure(description: "")
    let stops = [.order, .crash].map { TourStop(station: $0, time: .zero, outcome: .failure(failure)) }
    #expect(
      TourResult(plan: result.plan, stops: stops, time: .zero).sentence
        == "2 of 2 stations failed in 0 ms: Order with faults, Order with a crash.")
  }

  @Test("a cancelled tour ends with the current station, whether that station fails or not", arguments: [true, false])
  func cancelledTour(fails: Bool) async throws {
    let (began, begin) = AsyncStream.makeStream(of: TourStation.self)
    let visited = Tally()
    let runner = TourRunner(
      visit: { station in
        visited.add(station)
        begin.yield(station)
        if station == .parallel {
          // Ends when the tour is cancelled.
          let (nothing, end) = AsyncStream.makeStream(of: Void.self)
          for await _ in nothing {}
          end.finish()
          if fails { throw CancellationError() }
        }
        return TourVisit(summary: "", exhibits: [])
      }, now: { .zero }, tell: { _ in })
    let tour = Task { try await runner.run(TourPlan(fast: false, seed: 1)) }
    for await station in began where station == .parallel { break }
    tour.cancel()
    let outcome = await tour.result
    #expect(throws: CancellationError.self) { try outcome.get() }
    #expect(visited.stations == [.birds, .parallel])
  }
}

/// A clock that advances by one second with each reading.
///
/// `@unchecked Sendable`: `lock` guards `count`.
private final class Ticks: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  func next() -> Duration {
    lock.withLock {
      defer { count += 1 }
      return .seconds(count)
    }
  }
}

/// The visited stations.
///
/// `@unchecked Sendable`: `lock` guards `all`.
private final class Tally: @unchecked Sendable {
  private let lock = NSLock()
  private var all: [TourStation] = []

  var stations: [TourStation] { lock.withLock { all } }

  func add(_ station: TourStation) { lock.withLock { all.append(station) } }
}
