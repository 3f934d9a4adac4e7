import TestSupport
import Foundation
import ParallelTesting

@testable import WebSnapshotting

extension Browser {
  func open(_ page: WebPage) async throws -> Tab {
    try await running().open(page, within: Deadline(after: .seconds(60), on: ContinuousClock()))
  }

  func load(_ page: WebPage) async throws -> Tab {
    let tab = try await open(page)
    try await run(in: tab) { try await tab.load(page, $0) }
    return tab
  }

  /// Does work with a tab, with the error of a capture.
  func run<Value: Sendable>(
    in tab: Tab, within limit: Duration = .seconds(60), on clock: any Clock<Duration> = ContinuousClock(),
    _ progress: CaptureProgress = CaptureProgress(),
    _ work: @escaping @Sendable (CaptureProgress) async throws -> Value
  ) async throws -> Value {
    try await running().run(in: tab, within: Deadline(after: limit, on: clock), progress, work)
  }
}

extension RunningBrowser {
  func waitForIdleTabs() async throws { try await poll(while: pool.isResetting) }

  func contexts() async throws -> [String] {
    try await connection.send("Target.getBrowserContexts")["browserContextIds"]?.array?.compactMap(\.string) ?? []
  }
}

extension BrowserProcess {
  /// Whether a process of the browser's group runs.
  var exists: Bool { hasLivingMember }
}
