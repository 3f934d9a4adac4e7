internal import Foundation
internal import ImageSnapshotting
internal import Loopback
internal import WebSnapshotting

/// The resources for stations: a temporary folder and, if the plan has one, a browser.
struct TourContext: Sendable {
  /// The folder for journals and other files of one tour.
  let folder: URL
  let browser: Browser?
  let seed: UInt64

  /// Runs `body` with a server, and stops the server afterwards.
  func with<Value: Sendable>(
    _ router: Router, isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> Value
  ) async throws -> Value {
    let server = try await HTTPServer.start(router)
    do {
      let value = try await body(server.url)
      await server.stop(grace: .zero)
      return value
    } catch {
      await server.stop(grace: .zero)
      throw error
    }
  }

  func require(_ condition: Bool, _ otherwise: @autoclosure () -> String) throws(TourFailure) {
    guard condition else { throw TourFailure(description: otherwise()) }
  }
}

extension TourContext {
  func visit(_ station: TourStation) async throws -> TourVisit {
    switch station {
    case .birds: try await birds()
    case .parallel: try await parallel()
    case .order: try await order()
    case .crash: try await crash()
    case .screens: try await screens()
    case .web: try await web()
    case .snapshots: try await snapshots()
    case .simulation: try await simulation()
    }
  }
}
