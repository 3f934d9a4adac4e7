internal import Foundation
internal import Snapshotting
internal import SnapshotStore
internal import Testing
internal import XCTest

struct AssertionOutcome {
  var failure: String?
  var warnings: [String] = []
  var attachments: [SnapshotAttachment] = []

  /// The message is evaluated only for a failure.
  func prefixed(by message: () -> String) -> AssertionOutcome {
    guard let failure else { return self }
    let message = message()
    guard !message.isEmpty else { return self }
    var outcome = self
    outcome.failure = "\(message)\n\n\(failure)"
    return outcome
  }

  /// Leaves a pending snapshot, and returns whether there is one; an error is a warning.
  mutating func leavePending(_ leave: () throws(SnapshotError) -> Bool) -> Bool {
    do throws(SnapshotError) { return try leave() } catch {
      warnings.append("Cannot leave a pending snapshot. \(error)")
      return false
    }
  }
}

extension AssertionOutcome {
  init(_ entries: [SnapshotLog.Entry]) {
    guard !entries.isEmpty else { return }
    warnings = entries.filter { $0.kind == .warning }.map { bounded($0.message) }
    let failures = entries.filter { $0.kind == .failure }
    guard !failures.isEmpty else { return }
    failure = bounded(failures.map(\.message).joined(separator: "\n\n"))
    attachments = failures.flatMap(\.attachments)
  }
}

func report(_ outcome: AssertionOutcome, of assertion: Assertion) {
  report(outcome, at: assertion.site, to: assertion.test.runner)
}

func report(_ outcome: AssertionOutcome, at site: AssertionSite, to runner: RunningTest.Runner) {
  guard outcome.failure != nil || !outcome.warnings.isEmpty else { return }
  switch runner {
  case .swiftTesting:
    let location = SourceLocation(
      fileID: site.fileID.description, filePath: site.filePath.description, line: Int(site.line),
      column: max(1, Int(site.column)))
    // Larger attachments are only files.
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
