internal import Arguments
internal import Foundation
internal import SnapshotStore
internal import Snapshotting

/// Pending snapshots in the formats of CI servers.
enum Annotations {
  enum Format: String, CaseIterable, Sendable, ExpressibleByArgument { case github, junit }

  /// - Parameter folder: The path of the project in its repository, with a slash at the end. CI servers look for the files there.
  static func text(
    _ snapshots: [PendingSnapshot], _ format: Format, in folder: String, difference: (PendingSnapshot) -> String
  ) -> String {
    switch format {
    case .github: snapshots.map { gitHubCommand($0, folder, difference($0)) }.joined()
    case .junit: junit(snapshots, folder, difference)
    }
  }

  private static func gitHubCommand(_ snapshot: PendingSnapshot, _ folder: String, _ difference: String) -> String {
    let file = escaped(folder + snapshot.source.file, alsoIn: ":,")
    let title = snapshot.isNew ? "New snapshot" : "Snapshot differs"
    let message = "\(visible("\(snapshot.testName): \(snapshot.name)"))\n\(difference)"
    return "::error file=\(file),line=\(snapshot.source.line),title=\(title)::\(escaped(message, alsoIn: ""))\n"
  }

  private static func escaped(_ text: String, alsoIn characters: String) -> String {
    text.unicodeScalars.map { scalar in
      guard "%\r\n\(characters)".unicodeScalars.contains(scalar) else { return String(scalar) }
      return "%" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16, uppercase: true)
    }.joined()
  }

  private static func junit(
    _ snapshots: [PendingSnapshot], _ folder: String, _ difference: (PendingSnapshot) -> String
  ) -> String {
    let cases = snapshots.map { snapshot in
      // A test has a case for each snapshot, so the name of the snapshot is a part of the name.
      let name = visible("\(snapshot.testCase), \(snapshot.label)")
      let message = visible("\(snapshot.isNew ? "New snapshot" : "Snapshot differs"): \(snapshot.name)")
      return """
          <testcase classname="\(escapedMarkup(visible(snapshot.suites.joined(separator: "."))))" name="\(escapedMarkup(name))" \
        file="\(escapedMarkup(folder + snapshot.source.file))" line="\(snapshot.source.line)">
            <failure message="\(escapedMarkup(message))">\(escapedMarkup(difference(snapshot)))</failure>
          </testcase>

        """
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuite name="snapshots" tests="\(snapshots.count)" failures="\(snapshots.count)">
      \(cases.joined())</testsuite>

      """
  }
}
