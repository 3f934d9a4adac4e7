// The texts of failures. The first lines are those of swift-snapshot-testing, because tools search for them.

internal import Foundation
internal import SnapshotStore
internal import Snapshotting

func unrecordedReason(isPending: Bool) -> String {
  isPending ? "The new snapshot is pending" : "New snapshot was not recorded because recording is disabled"
}

/// How to accept a snapshot that was not recorded.
func acceptance(_ test: String, isPending: Bool, _ mode: SnapshotTestingConfiguration.Record) -> String {
  guard !isPending else { return "accept it with `swift run snapshots review`." }
  return "record it: set the record mode to `\(mode)` in the code, or with SNAPSHOT_TESTING_RECORD if the code sets "
    + "none, and run \"\(test)\" again."
}

private func rerun(_ test: String) -> String { "e-run \"\(test)\" to assert against the newly-recorded snapshot" }

func recordingMessage(path: String, test: String) -> String {
  """
  Record mode is on. Automatically recorded snapshot: …

  \(openCommand(path))

  Turn record mode off and r\(rerun(test))
  """
}

func missingMessage(path: String, test: String, isRecorded: Bool, isPending: Bool) -> String {
  isRecorded
    ? """
    No reference was found on disk. Automatically recorded snapshot: …

    \(openCommand(path))

    R\(rerun(test)).
    """
    : """
    No reference was found on disk. \(unrecordedReason(isPending: isPending))

    The reference would be \(pathInPackage(path)). If the new snapshot is correct, \
    \(acceptance(test, isPending: isPending, .missing))
    """
}

private func openCommand(_ path: String) -> String {
  "open \"\(URL(fileURLWithPath: path, isDirectory: false).absoluteString)\""
}

/// The difference is last, as in swift-snapshot-testing.
func mismatchMessage(
  name: String?, path: String, difference: String, tool: String?, artifacts: [String], test: String, isRecorded: Bool,
  isPending: Bool
) -> String {
  let subject = name.map { "Snapshot \"\($0)\"" } ?? "Snapshot"
  return [
    "\(subject) does not match reference.\(isRecorded ? " A new snapshot was automatically recorded." : "")",
    isRecorded
      ? "Review the new reference before you commit it. R\(rerun(test))."
      : "If the new snapshot is correct, \(acceptance(test, isPending: isPending, .failed))",
    path, tool, artifactList(artifacts),
    bounded(difference.trimmingCharacters(in: .whitespacesAndNewlines)),
  ]
  .compactMap(\.self).joined(separator: "\n\n")
}

func artifactList(_ paths: [String]) -> String? {
  paths.isEmpty ? nil : "Artifacts:\n" + paths.map { "  \($0)" }.joined(separator: "\n")
}

/// Returns a message with symbols for characters that control a terminal or change the direction.
func printable(_ message: String) -> String { visible(message, except: ["\n", "\t"]) }

/// A text with a limit on its length, for a failure.
///
/// The whole text is in the artifacts of a file reference. An inline snapshot has none, only attachments.
func bounded(_ text: String) -> String {
  let limit = 50_000
  guard text.utf8.count > limit else { return text }
  // A long line must not hide the line that replaces it.
  let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { cut($0, to: limit / 10) }
  return cut(lines.joined(separator: "\n").utf8[...], to: limit)
}

private func cut(_ bytes: Substring.UTF8View, to limit: Int) -> String {
  guard bytes.count > limit else { return String(decoding: bytes, as: UTF8.self) }
  return String(decoding: bytes.prefix(limit), as: UTF8.self) + "… (\(bytes.count - limit) more bytes)"
}

/// The failure of two tests, or of two cases of a test, that reach one file.
func conflictMessage(path: String, _ first: ReferenceUser, _ second: ReferenceUser) -> String {
  func description(_ user: ReferenceUser) -> String {
    let test = user.arguments.isEmpty ? user.test : "\(user.test) with (\(user.arguments))"
    return "\(test) at \(user.site)"
  }
  return """
    Cannot use one reference for two tests: \(description(first)) and \(description(second)) both use \
    \(path). Give one of them a different name with `named:`. A helper needs a parameter \
    `testName: String = #function` to pass on. In a detached task the test is unknown: use a child task.
    """
}

func repeatedMessage(path: String, _ difference: String?) -> String {
  """
  Cannot use one reference for different snapshots: this test compared \(path) before, with another snapshot. Give \
  each assertion, and each run of it, a different name with `named:`, or find out why the value changes.

  \(bounded(difference ?? ""))
  """
}

func recordedWarning(path: String) -> String {
  """
  The reference \(path) was recorded a moment ago by the same process, so the match shows only that the snapshot did \
  not change since then. Run the test again.
  """
}

func sharedWarning(path: String, _ first: AssertionSite, _ second: AssertionSite) -> String {
  "Two assertions share the reference \(path): \(first) and \(second). Give one of them a different name with `named:`."
}

func caseWarning(path: String, twin: String) -> String {
  """
  The name of the new reference \(path) differs from \(twin) only in case. A folder on macOS or Windows cannot hold \
  both files. Rename a test, or give one of the assertions a different name with `named:`.
  """
}

func valueError(_ error: any Error) -> SnapshotError {
  SnapshotError(
    """
    Cannot take the snapshot: the value threw an error: \(bounded("\(error)"))

    Correct the cause. To compare the error itself, take a snapshot of `Result { try … }` as `.readable`.
    """)
}

func timeoutMessage(after duration: Duration, strategy: String, blocking executor: String? = nil) -> String {
  let advice = executor.map {
    """


    This call blocks \($0), which the strategy may need. Use `await expectSnapshot(of: …, as: …)` instead. It \
    takes the same arguments and does not block.
    """
  }
  return """
    Exceeded timeout of \(String(format: "%g", duration.inSeconds)) seconds waiting for snapshot.

    The strategy \(strategy) has not called back. Check what it waits for, for example a delegate that was released, a \
    page that does not load, or a busy actor. If it only needs more time, increase `timeout`.\(advice ?? "")
    """
}
