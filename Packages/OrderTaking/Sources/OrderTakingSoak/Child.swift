internal import Foundation

/// A second process of this program, which is killed.
final class Child {
  private let process: pid_t
  private let output: Int32
  private var lines = 0
  private var hasEnded = false

  init(arguments: [String]) throws(SoakOptions.Failure) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw SoakOptions.Failure(
        description: "Cannot create a pipe: \(String(cString: strerror(errno))). Raise the limit with ulimit -n.")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    output = ends[0]
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
      close(ends[1])
    }
    // The parent of this process may have blocked signals, and the child would inherit that.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var environment = [strdup("SWIFT_BACKTRACE=enable=no"), nil]
    defer { (words + environment).forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, program, &actions, &attributes, &words, &environment)
    guard code == 0 else {
      throw SoakOptions.Failure(
        description: "Cannot start \(program): \(String(cString: strerror(code))). Build it again.")
    }
    self.process = process
  }

  deinit {
    if !hasEnded { kill() }
    close(output)
  }

  /// Waits until the process has written a number of lines, and returns `false` if it ended before.
  func wait(forLines count: Int) throws -> Bool {
    while lines < count {
      guard readSome() else { return false }
    }
    return true
  }

  func kill() {
    Foundation.kill(process, SIGKILL)
    reap()
  }

  /// The exit code, or the negative number of the signal that ended the process.
  func waitForEnd() -> Int32 {
    while readSome() {}
    let status = reap()
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
  }

  private func readSome() -> Bool {
    // Small reads, so that a kill follows soon after its line.
    var bytes = [UInt8](repeating: 0, count: 64)
    while true {
      let count = read(output, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      lines += bytes[..<count].count { $0 == 10 }
      return true
    }
  }

  @discardableResult
  private func reap() -> Int32 {
    hasEnded = true
    var status: Int32 = 0
    while waitpid(process, &status, 0) != process, errno == EINTR {}
    return status
  }
}
