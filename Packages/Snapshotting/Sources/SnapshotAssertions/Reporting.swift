internal import Foundation
internal import Snapshotting
internal import SnapshotStore
internal import Testing
internal import XCTest

/// The result of an assertion, before it is reported.
struct AssertionOutcome {
  var failure: String?
  var warnings: [String] = []
  var attachments: [SnapshotAttachment] = []
  /// The key of the snapshot that the assertion left pending.
  var pendingKey: String?

  /// The message is evaluated only for a failure.
  func prefixed(by message: () -> String) -> AssertionOutcome {
    guard let failure else { return self }
    let message = message()
    guard !message.isEmpty else { return self }
    var outcome = self
    outcome.failure = "\(message)\n\n\(failure)"
    return outcome
  }

  /// Turns the warnings of an assertion that passes into its failure, if `fails` is `true`.
  func failing(onWarnings fails: Bool?) -> AssertionOutcome {
    guard fails == true, !warnings.isEmpty else { return self }
    return AssertionOutcome(failure: warnings.joined(separator: "\n\n"), attachments: attachments)
  }

  /// Returns the result of a function, or a default and a warning if it fails.
  mutating func warning<Result>(
    or defaultResult: Result, _ problem: String, _ body: () throws(SnapshotError) -> Result
  ) -> Result {
    do throws(SnapshotError) { return try body() } catch {
      warnings.append("\(problem). \(error)")
      return defaultResult
    }
  }
}

extension AssertionOutcome {
  /// - Parameter error: An error of the assertion, or of its value.
  init(_ error: any Error) {
    failure = (error as? SnapshotError ?? valueError(error)).description
  }

  init(_ entries: [SnapshotLog.Entry]) {
    warnings = entries.filter { $0.kind == .warning }.map { bounded($0.message) }
    let failures = entries.filter { $0.kind == .failure }
    guard !failures.isEmpty else { return }
    failure = bounded(failures.map(\.message).joined(separator: "\n\n"))
    attachments = failures.flatMap(\.attachments)
  }
}

func report(_ outcome: AssertionOutcome, at site: AssertionSite, to runner: CurrentTest.Runner) {
  guard outcome.failure != nil || !outcome.warnings.isEmpty else { return }
  let (failure, warnings) = (outcome.failure.map(printable), outcome.warnings.map(printable))
  switch runner {
  case .swiftTesting:
    let location = SourceLocation(
      fileID: site.fileID.description, filePath: site.filePath.description, line: Int(site.line),
      column: max(1, Int(site.column)))
    // Larger attachments are only files.
    for attachment in outcome.attachments where Test.current != nil && attachment.data.count <= 64 << 20 {
      Attachment.record(Array(attachment.data), named: attachment.name, sourceLocation: location)
    }
    for warning in warnings {
      #if compiler(>=6.3)
        Issue.record(Comment(rawValue: warning), severity: .warning, sourceLocation: location)
      #else
        printWarning(warning, at: site)
      #endif
    }
    guard let failure else { return }
    let issue = Issue.record(Comment(rawValue: failure), sourceLocation: location)
    #if compiler(>=6.3)
      // A known issue does not fail its test, so its snapshot must not become the reference.
      guard !issue.isFailure, let key = outcome.pendingKey else { return }
      PendingRecorder.shared.remove(key, ofSource: site.filePath.description)
    #else
      _ = issue
    #endif
  case .xcTest:
    for warning in warnings { printWarning(warning, at: site) }
    if let failure { XCTFail(failure, file: site.filePath, line: site.line) }
  }
}

private func printWarning(_ warning: String, at site: AssertionSite) {
  FileHandle.standardError.write(Data("\(site.filePath):\(site.line): warning: \(warning)\n".utf8))
}

/// The files of failures: `<folder>/<module>/<test file>/<reference>`, and `<reference>.<attachment>` beside it.
///
/// The folder is `SNAPSHOT_ARTIFACTS`, or one of the user and the package below the temporary directory.
enum Artifacts {
  static func write(
    _ snapshot: Data?, _ attachments: [SnapshotAttachment], for reference: String, at site: AssertionSite,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(SnapshotError) -> [String] {
    let named = environment["SNAPSHOT_ARTIFACTS"].flatMap { $0.isEmpty ? nil : $0 }
    let ofUser = "\(NSTemporaryDirectory())/snapshot-artifacts-\(geteuid())"
    // Other users must not read what a redaction would hide.
    try? FileManager.default.createDirectory(
      atPath: ofUser, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let package = ProjectRoot.package(containing: ReferenceFiles.folder(of: site.filePath.description))
    let path = named ?? "\(ofUser)/\(Fingerprint.of(package.utf8))"
    let testFile = (site.fileID.description as NSString).deletingPathExtension
    let folder = "\((path as NSString).standardizingPath)/\(testFile)"
    let name = (reference as NSString).lastPathComponent
    var files = snapshot.map { [(name, $0)] } ?? []
    for (number, attachment) in attachments.enumerated() {
      let isTaken = attachments[..<number].contains { $0.name == attachment.name }
      let ending = attachment.name.replacing("/", with: "-")
      files.append(("\(name).\(isTaken ? "\(number + 1)-" : "")\(ending)", attachment.data))
    }
    for (name, data) in files { try ReferenceFiles.replace("\(folder)/\(name)", with: data) }
    return files.map { "\(folder)/\($0.0)" }
  }
}
