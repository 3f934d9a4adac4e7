internal import Foundation
internal import Loopback
internal import SnapshotStore

/// Every request needs the random token of the address.
///
/// `Loopback` refuses names of other hosts, so that no web page can reach the server (DNS rebinding).
struct ReportServer: Sendable {
  private let store: PendingStore
  private let token: String
  private let onEnd: @Sendable () -> Void

  init(_ store: PendingStore, onEnd: @escaping @Sendable () -> Void) {
    (self.store, self.onEnd) = (store, onEnd)
    var generator = SystemRandomNumberGenerator()
    token = (0..<2).map { _ in String(generator.next() as UInt64, radix: 36) }.joined()
  }

  func address(on port: Int) -> String { "http://127.0.0.1:\(port)\(path("/"))" }

  var router: Router {
    Router {
      Route(.get, "/") { request in allowed(request) { page() } }
      Route(.post, "/accept") { request in
        allowed(request) { decide(request) { snapshot in store.accept([snapshot]).first?.error.description } }
      }
      Route(.post, "/rename") { request in
        allowed(request) {
          decide(request) { snapshot in
            // The reference that the page showed.
            store.accept([snapshot], renames: [snapshot.name: request.form["old"] ?? ""]).first?.error.description
          }
        }
      }
      Route(.post, "/reject") { request in
        allowed(request) { decide(request) { snapshot in store.reject([snapshot]).first?.error.description } }
      }
    }
  }

  private func path(_ action: String) -> String { "\(action)?token=\(token)" }

  private func allowed(_ request: HTTPRequest, _ response: () -> HTTPResponse) -> HTTPResponse {
    let given = Array((request.query["token"] ?? "").utf8)
    // Compares all bytes, so that the time does not show how many are equal.
    let difference = zip(given, token.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) }
    guard given.count == token.utf8.count, difference == 0 else {
      return .text(
        "Cannot show the report: the address has no valid token. Use the address that 'snapshots report --serve' printed.\n",
        status: 403)
    }
    return response()
  }

  private func page(problem: String? = nil) -> HTTPResponse {
    let report = HTMLReport(
      store, problem: problem, actions: .init(accept: path("/accept"), rename: path("/rename"), reject: path("/reject"))
    )
    var response = HTTPResponse.html(report.page, status: problem == nil ? .ok : .conflict)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Referrer-Policy"] = "no-referrer"
    return response
  }

  /// Decides about the snapshot that the page showed, and not about a later one of the same assertion.
  private func decide(_ request: HTTPRequest, _ decision: (PendingSnapshot) -> String?) -> HTTPResponse {
    let form = request.form
    let shown = store.contents().snapshots.first {
      $0.id == form["id"] && $0.fingerprint == form["fingerprint"]
    }
    guard let shown else {
      return page(problem: "The snapshot has changed, or is no longer pending. Look at it again.")
    }
    if let problem = decision(shown) { return page(problem: problem) }
    guard store.contents().snapshots.isEmpty else {
      return HTTPResponse(.seeOther, headers: ["Location": path("/")])
    }
    defer { onEnd() }
    return page()
  }
}
