internal import Foundation

/// This program in a child process, with other arguments.
///
/// The child ends when this object is deallocated or when this process ends: see ``ParentMonitor``.
///
/// `@unchecked Sendable`: `lock` guards `hasEnded`; the other properties do not change.
final class ChildProcess: @unchecked Sendable {
  /// The lines of standard output and standard error, until the child closes both.
  let lines: AsyncStream<String>

  private let process: pid_t
  private let lifeline: Int32
  private let lock = NSLock()
  private var hasEnded = false

  /// Starts the child with an empty standard input.
  ///
  /// - Throws: `POSIXError` when the system cannot start a process.
  init(_ arguments: [String]) throws {
    let (reading, writing) = try Self.pipe()
    let (input, lifeline): (Int32, Int32)
    do { (input, lifeline) = try Self.pipe() } catch {
      close(reading)
      close(writing)
      throw error
    }
    var actions = Self.noActions
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_adddup2(&actions, writing, 1)
    posix_spawn_file_actions_adddup2(&actions, writing, 2)
    let path = Bundle.main.executablePath ?? CommandLine.arguments[0]
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    let environment = ProcessInfo.processInfo.environment.merging([ParentMonitor.variable: "yes"]) { $1 }
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, path, &actions, nil, &words, &variables)
    close(writing)
    close(input)
    guard code == 0 else {
      close(reading)
      close(lifeline)
      throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL)
    }
    self.process = process
    self.lifeline = lifeline
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    self.lines = lines
    Thread.detachNewThread {
      Self.read(reading) { line.yield($0) }
      close(reading)
      line.finish()
    }
  }

  deinit { close(lifeline) }

  /// Kills the child with `SIGKILL`, like a crash.
  func kill() {
    // After `waitpid` the system can give the process ID to another process.
    lock.withLock { if !hasEnded { _ = Foundation.kill(process, SIGKILL) } }
  }

  /// Waits until the child ends; call it once.
  ///
  /// - Returns: The exit code, or the negated number of the signal that ended the child.
  func status() async -> Int32 {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: self.wait()) }
    }
  }

  private func wait() -> Int32 {
    // Wait without reaping first, so that `kill()` never signals a reused process ID.
    var information = siginfo_t()
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    return lock.withLock {
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      hasEnded = true
      return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }
  }

  /// A pipe that is not inherited by other programs.
  private static func pipe() throws(POSIXError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func read(_ descriptor: Int32, _ onLine: (String) -> Void) {
    var rest: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Foundation.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      rest += chunk[..<count]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        onLine(String(decoding: rest[..<end], as: UTF8.self))
        rest.removeSubrange(...end)
      }
    }
    if !rest.isEmpty { onLine(String(decoding: rest, as: UTF8.self)) }
  }

  #if canImport(Darwin)
    private static var noActions: posix_spawn_file_actions_t? { nil }
  #else
    private static var noActions: posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
  #endif
}
