internal import Foundation
internal import Futures
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
  ///
  /// A server that cannot accept connections stops at once, so that no request waits for it. Its error replaces that of `body`.
  func with<Value: Sendable>(
    _ router: Router, isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> Value
  ) async throws -> Value {
    let acceptError = Promise<LoopbackError, Never>()
    let server = try await HTTPServer.start(router, onAcceptError: { acceptError.trySuccess($0) })
    acceptError.future.onSuccess(immediateExecutionContext) { _ in Task { await server.stop(grace: .zero) } }
    do {
      let value = try await body(server.url)
      await server.stop(grace: .zero)
      return value
    } catch {
      await server.stop(grace: .zero)
      throw acceptError.future.value ?? error
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
