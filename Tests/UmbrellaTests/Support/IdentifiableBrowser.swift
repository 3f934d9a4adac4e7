import Foundation
import TestSupport
import Testing
import WebSnapshotting

extension Browser {
  /// A browser for one test, whose processes have the folder's path in their command lines.
  static func identifiable(by folder: TemporaryFolder) async throws -> Browser {
    var options = Browser.Configuration()
    #if os(Linux)
      // A symbolic link in the folder to the program of the shared browser.
      try await Browser.shared.start()
      let programs = RunningProcess.descendants(of: getpid())
        .filter { $0.arguments.contains("--remote-debugging-pipe") }
        .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0.processIdentifier)/exe") }
      // Excludes the shell that starts the browser and the fake browsers of other tests.
      let program = try #require(programs.first { $0.contains(#/chrom|edge/#) })
      let link = folder.file("browser")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: program)
      options.executable = link
    #endif
    return Browser(options)
  }
}

extension RunningProcess {
  /// The processes that were started from the folder, and their descendants.
  static func all(startedFrom folder: TemporaryFolder) -> [RunningProcess] {
    let started = all.filter { process in process.arguments.contains { $0.hasPrefix(folder.file("")) } }
    return Array(Set(started).union(started.flatMap { descendants(of: $0.processIdentifier) }))
  }
}
