import Foundation

/// A program that was built beside the tests, run to its end.
enum Program {
  struct Failure: Error, CustomStringConvertible { let description: String }

  static func run(_ name: String, _ arguments: String...) async throws -> (status: Int32, output: String) {
    try await run(name, arguments)
  }

  /// What it wrote to standard output, and its exit code, or minus the signal that ended it.
  static func run(_ name: String, _ arguments: [String]) async throws -> (status: Int32, output: String) {
    let path = try path(of: name)
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try spawn(path, arguments) }) }
    }
  }

  private static func spawn(_ path: String, _ arguments: [String]) throws -> (Int32, String) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure(description: "no pipe: \(errno)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    // The test's thread has most signals blocked, and a child would inherit that.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var environment = [strdup("SWIFT_BACKTRACE=enable=no"), strdup("TMPDIR=" + NSTemporaryDirectory()), nil]
    defer {
      (words + environment).forEach { free($0) }
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
      close(ends[0])
    }
    var process: pid_t = 0
    let code = posix_spawn(&process, path, &actions, &attributes, &words, &environment)
    close(ends[1])
    guard code == 0 else { throw Failure(description: "cannot start \(path): \(code)") }
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(ends[0], &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      output += chunk[..<count]
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) != process, errno == EINTR {}
    return (
      status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F), String(decoding: output, as: UTF8.self)
    )
  }

  private static func path(of name: String) throws -> String {
    let starts = [CommandLine.arguments[0]] + Bundle.allBundles.map(\.bundlePath) + [Bundle.main.bundlePath + "/x"]
    let candidates = starts.map {
      URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent(name).path
    }
    guard let found = candidates.first(where: { access($0, X_OK) == 0 }) else {
      throw Failure(description: "no program among \(candidates)")
    }
    return found
  }
}
