internal import Foundation
internal import Snapshotting
internal import Testing
internal import XCTest

/// What came of an assertion.
struct AssertionOutcome {
  var failure: String?
  var warnings: [String] = []
  var attachments: [SnapshotAttachment] = []

  /// Takes over what a strategy told.
  ///
  /// - Returns: Whether it told of no failure.
  mutating func take(_ entries: [SnapshotLog.Entry]) -> Bool {
    guard !entries.isEmpty else { return true }
    warnings += entries.filter { $0.kind == .warning }.map(\.message)
    let failures = entries.filter { $0.kind == .failure }
    guard !failures.isEmpty else { return true }
    failure = failures.map(\.message).joined(separator: "\n\n")
    attachments += failures.flatMap(\.attachments)
    return false
  }
}

/// Tells the runner of a test what came of one of its assertions.
func report(_ outcome: AssertionOutcome, at site: AssertionSite, to runner: RunningTest.Runner) {
  guard outcome.failure != nil || !outcome.warnings.isEmpty else { return }
  switch runner {
  case .swiftTesting:
    let location = SourceLocation(
      fileID: site.fileID.description, filePath: site.filePath.description, line: Int(site.line),
      column: max(1, Int(site.column)))
    // A larger one is an artifact only.
    for attachment in outcome.attachments where Test.current != nil && attachment.data.count <= 64 << 20 {
      Attachment.record(
        Array(attachment.data), named: Artifacts.sanitized(attachment.name), sourceLocation: location)
    }
    for warning in outcome.warnings {
      #if compiler(>=6.3)
        Issue.record(Comment(rawValue: warning), severity: .warning, sourceLocation: location)
      #else
        printWarning(warning, at: site)
      #endif
    }
    if let failure = outcome.failure { Issue.record(Comment(rawValue: failure), sourceLocation: location) }
  case .xcTest:
    for warning in outcome.warnings { printWarning(warning, at: site) }
    if let failure = outcome.failure { XCTFail(failure, file: site.filePath, line: site.line) }
  }
}

private func printWarning(_ warning: String, at site: AssertionSite) {
  FileHandle.standardError.write(Data("\(site.filePath):\(site.line): warning: \(warning)\n".utf8))
}
