internal import Futures
internal import Loopback

extension Station {
  static let birds = Station(
    title: "Birds over HTTP", packages: ["Futures", "Loopback"],
    about: "Loads a list of birds and their pictures with futures, all pictures at the same time."
  ) { tour in
    try await HTTPServer.start(BirdServer.router()).use { server in
      let birds = try await BirdsLoader(server.url, within: .seconds(30)).birds().value(orCancelled: .interrupted)
      try tour.require(birds.count == 8, "Expected 8 birds, got \(birds.count).")
      let bytes = birds.reduce(0) { $0 + $1.file.count }
      return TourVisit(
        summary: "\(birds.count) birds, \(bytes) bytes of pictures",
        exhibits: birds.map { .picture($0.bird.name, png: $0.file) })
    }
  }
}
