// What failures say. The first lines are those of swift-snapshot-testing, since people and tools look for them.

/// The failure of a reference that is not there, or that is recorded whatever there is.
func recordingMessage(_ decision: ReferenceDecision, path: String, shownPath: String, testName: String) -> String {
  let file = "open \"\(fileURL(path))\""
  switch decision.failure {
  case .recording:
    return """
      Record mode is on. Automatically recorded snapshot: …

      \(file)

      Turn record mode off and re-run "\(testName)" to assert against the newly-recorded snapshot
      """
  case .absent where decision.writes:
    return """
      No reference was found on disk. Automatically recorded snapshot: …

      \(file)

      Re-run "\(testName)" to assert against the newly-recorded snapshot.
      """
  default:
    return """
      No reference was found on disk. New snapshot was not recorded because recording is disabled

      It would be \(shownPath). To record it, run "\(testName)" with SNAPSHOT_TESTING_RECORD=missing.
      """
  }
}

/// The failure of a snapshot that is not what the reference has.
///
/// - Parameters:
///   - difference: What the strategy says is different.
///   - tool: What the diff tool says about the two files; `nil` when the failed one could not be written.
func mismatchMessage(
  name: String?, difference: String, tool: String?, shownPath: String, wasRecorded: Bool, testName: String
) -> String {
  let subject = name.map { "Snapshot \"\($0)\"" } ?? "Snapshot"
  let recorded = wasRecorded ? " A new snapshot was automatically recorded." : ""
  let accepting =
    wasRecorded
    ? "Look at the changes of that file before you keep them."
    : "If this is what it should be, run \"\(testName)\" with SNAPSHOT_TESTING_RECORD=failed."
  return ["\(subject) does not match reference.\(recorded)", shownPath, tool, difference, accepting]
    .compactMap { $0 }.joined(separator: "\n\n")
}

/// The failure of two assertions that would write one file.
func conflictMessage(shownPath: String, first: AssertionSite, second: AssertionSite) -> String {
  """
  Two different assertions have the reference \(shownPath): the one at \(first.description(beside: second)) and the one at \(second.description(beside: first)). \
  Give one of them another name, with `named:`.
  """
}

/// The failure of two cases of one test that would write one file.
func casesMessage(shownPath: String, site: AssertionSite, first: String, test: RunningTest) -> String {
  let cases = first.isEmpty ? "" : ": the one with \(first) and the one with \(test.arguments.text)"
  return """
    Two cases of a test have the reference \(shownPath) by the assertion at \(site), and different snapshots\(cases). \
    Give it a name that tells them apart, `named: "\\(argument)"` say, or none, and it has the arguments in its name.
    """
}

/// The failure of an assertion that several tests make, by way of a helper.
func helperMessage(shownPath: String, site: AssertionSite) -> String {
  """
  Two different tests make the assertion at \(site), which has one reference for both, \(shownPath), and their snapshots \
  differ. Hand the function of the test on to it, by a parameter `testName: String = #function`, or give it a name, `named:`.
  """
}

/// What is added for a test that had a file in common with another one, which keeps it.
func ownFileMessage(shownPath: String, difference: String) -> String {
  """


  Until now it could have \(shownPath), which is that of a test of the same name outside of its suite. From what that has it \
  differs:

  \(difference)
  """
}

/// The failure of an assertion that was made before with another value.
func repeatedMessage(shownPath: String, difference: String) -> String {
  let shown = difference.isEmpty ? "" : "\n\n\(difference)"
  return """
    This assertion is made more than once under one name, with different snapshots, so there is no one reference to \
    record in \(shownPath). Give it a name that tells them apart, `named:`, or find out why the value changes.\(shown)
    """
}

/// The warning about a reference that two assertions match.
func sharedMessage(shownPath: String, first: AssertionSite, second: AssertionSite) -> String {
  """
  Two different assertions share the reference \(shownPath): the one at \(first.description(beside: second)) and the one at \(second.description(beside: first)). Both match \
  it, so nothing fails; when one of them changes, it gets a file of its own or asks for another name.
  """
}

/// The failure of an unnamed assertion in a parameterised test whose arguments cannot be read.
func unreadableArgumentsMessage(testName: String) -> String {
  """
  The test "\(testName)" has arguments that cannot be read, so its cases cannot be told apart and would share a \
  reference. Give this assertion a name that tells them apart: `named: "…"`.
  """
}

/// The failure of an unnamed assertion in a helper, when nothing says which test it works for.
func unknownTestMessage(function: String) -> String {
  """
  "\(function)" is no test, and in a detached task, or on a thread of its own, nothing says which test it works for, so \
  several tests would share a reference. Give this assertion a name, `named: "…"`, or hand the function of the test on to \
  it, by a parameter `testName: String = #function`.
  """
}

/// The failure of a snapshot that was not there in time.
func timeoutMessage(after duration: Duration, strategy: String) -> String {
  """
  Exceeded timeout of \(seconds(duration)) seconds waiting for snapshot.

  The strategy \(strategy) has not called back. Find out what it waits for: a delegate that nobody holds, a page that \
  does not load, an actor that is busy. If it only needs longer, raise `timeout`.
  """
}

/// The failure of an assertion that would block what its strategy needs.
func wouldBlockMessage(strategy: String, reason: String) -> String {
  """
  This snapshot is not there at once, and waiting for it here could not work: \(reason) Write \
  `await expectSnapshot(of: …, as: …)` instead, which takes the same arguments and does not block. The strategy is \(strategy).
  """
}

func seconds(_ duration: Duration) -> String {
  let (seconds, attoseconds) = duration.components
  let value = Double(seconds) + Double(attoseconds) * 1e-18
  return value == value.rounded() ? "\(Int(value))" : "\(value)"
}

/// The URL of a file, with what a URL cannot have in percent-encoded form.
func fileURL(_ path: String) -> String {
  var text = "file://"
  for byte in path.utf8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "@"), UInt8(ascii: ","):
      text.unicodeScalars.append(Unicode.Scalar(byte))
    default:
      let digits = String(byte, radix: 16, uppercase: true)
      text += "%" + (digits.count == 1 ? "0" : "") + digits
    }
  }
  return text
}
