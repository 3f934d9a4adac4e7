import Arguments
import Foundation
import Terminal
import TestSupport

@testable import Snapshots

extension Project {
  func run(_ words: [String]) async throws -> (code: Int32, output: String, errors: String) {
    let folder = try TemporaryFolder()
    let files = ["output", "errors"].map { folder.file($0) }
    let descriptors = files.map { open($0, O_WRONLY | O_CREAT, 0o600) }
    defer { for descriptor in descriptors { close(descriptor) } }
    let runner = SnapshotsRunner(
      store: store, output: TerminalDevice(input: -1, output: descriptors[0]),
      errors: TerminalDevice(input: -1, output: descriptors[1]))
    guard case .success(let invocation) = SnapshotsAction.command.parse(words) else {
      throw CocoaError(.coderInvalidValue)
    }
    let code = await runner.run(invocation.output).rawValue
    let texts = files.map { String(decoding: FileManager.default.contents(atPath: $0) ?? Data(), as: UTF8.self) }
    return (code, texts[0], texts[1])
  }
}
