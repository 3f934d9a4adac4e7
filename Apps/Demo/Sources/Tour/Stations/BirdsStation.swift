internal import Foundation
internal import Futures
internal import Terminal

extension TourContext {
  func birds() async throws -> TourVisit {
    try await with(BirdServer.router()) { server in
      let requests = RequestSession()
      defer { requests.close() }
      let clock = ContinuousClock()
      let start = clock.now
      let loader = BirdsLoader(
        requests: requests, limit: .seconds(30), color: .none, time: { start.duration(to: clock.now) },
        onList: { _ in }, onPicture: { _ in })
      let outcome: Result<[LoadedBird], BirdsError> = await withTaskCancellationHandler {
        await loader.birds(at: server.appending(path: "birds")).get()
      } onCancel: {
        requests.close()
      }
      let birds = try outcome.get()
      try require(birds.count == 8, "Expected 8 birds, got \(birds.count).")
      let bytes = birds.reduce(0) { $0 + $1.file.count }
      return TourVisit(
        summary: "\(birds.count) birds, \(bytes) bytes of pictures",
        exhibits: birds.map { .picture($0.bird.name, png: $0.file) })
    }
  }
}
