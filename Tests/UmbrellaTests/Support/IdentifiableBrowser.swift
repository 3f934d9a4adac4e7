import Foundation
import ParallelTesting
import Testing
import WebSnapshotting

extension Browser {
  /// A browser of one test's own, whose processes can be told from all others: the command line has the folder in it.
  static func marked(by folder: TemporaryFolder) async throws -> Browser {
    var options = Browser.Configuration()
    #if os(Linux)
      // What the browser that all share was found to be, under a name in the folder.
      try await Browser.shared.start()
      let programs = RunningProcess.descendants(of: getpid())
        .filter { $0.arguments.contains("--remote-debugging-pipe") }
        .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0.processIdentifier)/exe") }
      // Not the shell that stands between a browser and this process, nor what other tests give out for one.
      let program = try #require(programs.first { $0.contains(#/chrom|edge/#) })
      let link = folder.file("browser")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: program)
      options.executable = link
    #endif
    return Browser(options)
  }
}

extension RunningProcess {
  /// Those that were started by a name in the folder, and all that they have started.
  static func all(marked folder: TemporaryFolder) -> [RunningProcess] {
    let marked = all.filter { process in process.arguments.contains { $0.hasPrefix(folder.file("")) } }
    return Array(Set(marked).union(marked.flatMap { descendants(of: $0.processIdentifier) }))
  }
}
