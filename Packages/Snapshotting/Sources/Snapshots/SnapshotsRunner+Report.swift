internal import Arguments
internal import Foundation
internal import Loopback
internal import SnapshotStore
internal import Terminal

extension SnapshotsRunner {
  func report(in folder: String, opens: Bool) throws(TerminalError) -> ExitCode {
    let (_, code) = try pending([])
    var status = stat()
    guard stat(folder, &status) != 0 || status.st_mode & S_IFMT == S_IFDIR else {
      try report(
        SnapshotError("Cannot write the report to \(folder): it is not a folder. Use --output with another folder."))
      return .failure
    }
    let path = URL(filePath: folder).appending(path: "index.html").path
    let page = HTMLReport(store).page
    do throws(SnapshotError) {
      try ReferenceFiles.replace(path, with: Data(page.utf8), asReference: false)
    } catch {
      try report(error)
      return .failure
    }
    try print("Wrote \(path).\n")
    if opens { Desktop.open([path]) }
    return code
  }

  /// Serves the report until the last pending snapshot is accepted or rejected on the page.
  nonisolated(nonsending) func serve(opens: Bool) async throws(TerminalError) -> ExitCode {
    let (snapshots, code) = try pending([])
    guard !snapshots.isEmpty else {
      try printNone(code)
      return code
    }
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let report = ReportServer(store) { end.finish() }
    let server: HTTPServer
    do { server = try await HTTPServer.start(report.router) } catch {
      try printError("Error: \(error)\n")
      return .failure
    }
    let address = report.address(on: server.port)
    try print(
      "Serving \(address) until you decide about the last pending snapshot on the page. Ctrl-C ends it earlier.\n")
    if opens { Desktop.open(address: address) }
    for await _ in ends {}
    await server.stop()
    return code
  }
}
