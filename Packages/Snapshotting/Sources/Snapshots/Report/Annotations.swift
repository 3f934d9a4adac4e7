internal import Arguments
internal import Foundation
internal import SnapshotStore

enum Annotations {
  enum Format: String, CaseIterable, Sendable, ExpressibleByArgument { case github, junit }

  static func text(
    _ snapshots: [PendingSnapshot], _ format: Format, difference: (PendingSnapshot) -> String
  ) -> String {
    switch format {
    case .github: snapshots.map { gitHubCommand($0, difference($0)) }.joined()
    case .junit: junit(snapshots, difference)
    }
  }

  private static func gitHubCommand(_ snapshot: PendingSnapshot, _ difference: String) -> String {
    let file = escaped(snapshot.source.file, alsoIn: ":,")
    let title = snapshot.isNew ? "New snapshot" : "Snapshot differs"
    let message = "\(snapshot.testName): \(snapshot.name)\n\(difference)"
    return "::error file=\(file),line=\(snapshot.source.line),title=\(title)::\(escaped(message, alsoIn: ""))\n"
  }

  private static func escaped(_ text: String, alsoIn characters: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      guard "%\r\n\(characters)".unicodeScalars.contains(scalar) else {
        result.unicodeScalars.append(scalar)
        continue
      }
      result += "%" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16, uppercase: true)
    }
    return result
  }

  private static func junit(_ snapshots: [PendingSnapshot], _ difference: (PendingSnapshot) -> String) -> String {
    let cases = snapshots.map { snapshot in
      let suite = snapshot.suites.joined(separator: ".")
      let message = "\(snapshot.isNew ? "New snapshot" : "Snapshot differs"): \(snapshot.name)"
      return """
          <testcase classname="\(MarkupText.escaped(suite))" name="\(MarkupText.escaped(snapshot.test))" \
        file="\(MarkupText.escaped(snapshot.source.file))" line="\(snapshot.source.line)">
            <failure message="\(MarkupText.escaped(message))">\(MarkupText.escaped(difference(snapshot)))</failure>
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

enum MarkupText {
  /// Characters that XML does not allow are replaced.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n", "\t", "\r": result.unicodeScalars.append(scalar)
      case _ where scalar.properties.generalCategory == .control || scalar.value & 0xFFFE == 0xFFFE:
        result.append("\u{FFFD}")
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
