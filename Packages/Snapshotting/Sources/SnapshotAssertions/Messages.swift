// The texts of failures. The first lines are those of swift-snapshot-testing, because tools search for them.

internal import Foundation
internal import SnapshotStore

struct Rerun {
  let testName: String
  let filter: String?
  let record: ChosenRecord
  var isPending = false

  /// Whether Xcode runs the tests, where `swift test` may not find them.
  private static let isInXcode = ProcessInfo.processInfo.environment["XCTestConfigurationFilePath"] != nil

  /// The command that runs only this test, or an empty text.
  func command(_ environment: String = "") -> String {
    guard let filter, !Self.isInXcode else { return "" }
    let quoted = filter.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
    return "\n\n    \(environment)swift test --filter '\(quoted)'"
  }

  /// A mode in the code overrides the environment.
  ///
  /// With `false` in the code, the environment can only allow recording of absent references.
  func recording(_ mode: SnapshotTestingConfiguration.Record.Mode) -> String {
    let accept = "accept it with `swift package --allow-writing-to-package-directory snapshots review`"
    if isPending, record.mode == .pending { return "\(accept)." }
    let review = isPending ? "\(accept), or " : ""
    guard let code = record.code, !(code.isFalse && mode == .missing) else {
      return review + "run \"\(testName)\" with SNAPSHOT_TESTING_RECORD=\(mode)."
        + command("SNAPSHOT_TESTING_RECORD=\(mode) ")
    }
    return review
      + "change the record mode from `\(code.isFalse ? "false" : ".\(code.mode)")`, which the code sets, to `.\(mode)`, "
      + "and run \"\(testName)\" again." + command()
  }
}

func recordingMessage(_ decision: ReferenceDecision, path: String, shownPath: String, rerun: Rerun) -> String {
  let file = "open \"\(URL(fileURLWithPath: path, isDirectory: false).absoluteString)\""
  switch decision.failure {
  case .recording:
    return """
      Record mode is on. Automatically recorded snapshot: …

      \(file)

      Turn record mode off and re-run "\(rerun.testName)" to assert against the newly-recorded snapshot\(rerun.command())
      """
  case .absent where decision.writes:
    return """
      No reference was found on disk. Automatically recorded snapshot: …

      \(file)

      Re-run "\(rerun.testName)" to assert against the newly-recorded snapshot.\(rerun.command())
      """
  default:
    return """
      No reference was found on disk. New snapshot was not recorded because recording is disabled

      The reference would be \(shownPath). To record it, \(rerun.recording(.missing))
      """
  }
}

func mismatchMessage(
  name: String?, difference: String, tool: String?, artifacts: [String], shownPath: String, wasRecorded: Bool,
  rerun: Rerun
) -> String {
  let subject = name.map { "Snapshot \"\($0)\"" } ?? "Snapshot"
  let recorded = wasRecorded ? " A new snapshot was automatically recorded." : ""
  let accepting =
    wasRecorded
    ? "Review the new reference before you commit it." + rerun.command()
    : "If the new snapshot is correct, \(rerun.recording(.failed))"
  return [
    "\(subject) does not match reference.\(recorded)", shownPath, tool,
    // An escape character could control the terminal.
    bounded(difference).replacing("\u{1B}", with: "␛"), artifactList(artifacts),
    accepting,
  ]
  .compactMap { $0 }.joined(separator: "\n\n")
}

func artifactList(_ paths: [String]) -> String? {
  paths.isEmpty ? nil : "Artifacts:\n" + paths.map { "  \($0)" }.joined(separator: "\n")
}

/// A text with limits on the length and the number of its lines, for a failure.
///
/// The whole text is in the artifacts of a file reference. An inline snapshot has none, only attachments.
func bounded(_ text: String) -> String {
  let (lineLimit, limit) = (2_000, 50_000)
  guard text.utf8.count > lineLimit else { return text }
  var result = ""
  var rest = text.utf8[...]
  while !rest.isEmpty {
    let line = rest.prefix { $0 != UInt8(ascii: "\n") }
    result += shortened(line, to: lineLimit)
    rest = rest[line.endIndex...].dropFirst()
    if line.endIndex < text.utf8.endIndex { result += "\n" }
    guard result.utf8.count < limit else { break }
  }
  return rest.isEmpty ? result : "\(result)… (\(rest.count) more bytes)"
}

private func shortened(_ line: Substring.UTF8View, to limit: Int) -> String {
  guard line.count > limit else { return String(Substring(line)) }
  let start = String(decoding: line.prefix(limit), as: UTF8.self)
  return "\(start)… (\(line.count - limit) more bytes in this line)"
}

func conflictMessage(shownPath: String, first: AssertionSite, second: AssertionSite) -> String {
  """
  Cannot use one reference for two assertions: \(first.description(beside: second)) and \
  \(second.description(beside: first)) both use \(shownPath). Give one of them a different name with `named:`.
  """
}

func casesMessage(shownPath: String, site: AssertionSite, first: String, test: RunningTest) -> String {
  let cases = first.isEmpty ? "its cases" : "the cases (\(first)) and (\(test.arguments.text))"
  return """
    Cannot use one reference for two cases of a test: the assertion at \(site) uses \(shownPath), and the snapshots \
    of \(cases) differ. Include the argument in the name, for example `named: "\\(argument)"`, or omit `named:`: an \
    unnamed assertion has the arguments in its file name.
    """
}

/// The failure of an assertion in a helper that several tests call.
func helperMessage(shownPath: String, site: AssertionSite) -> String {
  """
  Cannot use one reference for two tests: both run the assertion at \(site), which uses \(shownPath), and their \
  snapshots differ. Pass the test's function to it with a parameter `testName: String = #function`, or give it a \
  different name in each test with `named:`.
  """
}

/// The note for a test that no longer shares a file with another test.
///
/// The other test keeps the file.
func ownFileMessage(shownPath: String, difference: String) -> String {
  """


  This test used to share \(shownPath) with a test of the same name outside its suite. The new snapshot differs from \
  that file:

  \(bounded(difference))
  """
}

/// The addition for a test that differs from a file without suites in its name.
func ambiguousMessage(shownPath: String, own: String) -> String {
  """


  The source has several tests with this name, and \(shownPath) can belong to another one. Recording writes the separate \
  file \(own) and does not change \(shownPath).
  """
}

func repeatedMessage(shownPath: String, difference: String) -> String {
  let shown = difference.isEmpty ? "" : "\n\n\(bounded(difference))"
  return """
    Cannot use one reference for different snapshots: this assertion ran more than once with the reference \
    \(shownPath). Give each run a different name with `named:`, or find out why the value changes.\(shown)
    """
}

/// The warning about a reference that two assertions match.
func sharedMessage(shownPath: String, first: AssertionSite, second: AssertionSite) -> String {
  """
  Two assertions share the reference \(shownPath): \(first.description(beside: second)) and \
  \(second.description(beside: first)). Both match it, so neither fails. If the snapshot of one of them changes, record \
  it or give it a different name.
  """
}

/// The failure of an unnamed assertion in a parameterised test whose arguments cannot be read.
func unreadableArgumentsMessage(testName: String) -> String {
  """
  Cannot choose a reference: the arguments of "\(testName)" cannot be read, so its cases would share one file. Give \
  this assertion a different name in each case with `named:`.
  """
}

/// The failure of an unnamed assertion in a helper, in a task or thread without a test.
func unknownTestMessage(function: String) -> String {
  """
  Cannot choose a reference: "\(function)" is not a test, and in a detached task or on another thread its test is \
  unknown. Give this assertion a name with `named:`, or pass the test's function to it with a parameter \
  `testName: String = #function`.
  """
}

func timeoutMessage(after duration: Duration, strategy: String) -> String {
  """
  Exceeded timeout of \(seconds(duration)) seconds waiting for snapshot.

  The strategy \(strategy) has not called back. Check what it waits for, for example a delegate that was released, a \
  page that does not load, or a busy actor. If it only needs more time, increase `timeout`.
  """
}

/// The advice for a snapshot that may need the executor that its caller blocks.
func blockingMessage(_ executor: String) -> String {
  """
  This call blocks \(executor), which the strategy may need. Use `await expectSnapshot(of: …, as: …)` instead. It takes the \
  same arguments and does not block.
  """
}

func seconds(_ duration: Duration) -> String {
  let value = duration.inSeconds
  return value == value.rounded() ? "\(Int(value))" : "\(value)"
}
