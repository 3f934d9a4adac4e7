import Foundation
import ParallelTesting

/// The process whose browser is looked at after its end.
///
/// `lifeline` is a pipe that the process, its shell and its browser inherit, and no real browser writes to: its end of file
/// says that none of them is left.
struct Probe: Sendable {
  let process: pid_t
  private let output: FileHandle
  private let lifeline: FileHandle

  /// Where the program is.
  static var program: String { get throws { try ChildProcess.path(besideTests: "WebSnapshottingProbe") } }

  /// - Parameters:
  ///   - arguments: What it is to do.
  ///   - temporary: Its folder for what goes.
  ///   - variables: What is different in its environment; an empty text takes a variable out.
  ///   - wrapper: A program that is started in its place, and the first of its arguments, to start it.
  init(
    _ arguments: String..., temporary: TemporaryFolder, variables more: [String: String] = [:], wrapper: [String] = []
  ) throws {
    let (output, lifeline) = (try Line(), try Line())
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Whoever runs the tests in a shell's background ignores SIGINT, and the thread of a test has it blocked: the program,
    // which waits for it, would inherit both.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGINT)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
    posix_spawn_file_actions_adddup2(&actions, lifeline.writing, 9)
    let command = wrapper + [try Self.program] + arguments
    let path = command[0]
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    var variables = ProcessInfo.processInfo.environment
    variables["TMPDIR"] = temporary.path
    variables = variables.merging(more) { $1 }.filter { !$0.value.isEmpty }
    var settings: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + settings { free(word) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, path, &actions, &attributes, &words, &settings)
    close(output.writing)
    close(lifeline.writing)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
    self.process = process
    self.output = output.reading
    self.lifeline = lifeline.reading
  }

  /// The next line that the process prints.
  func line() async -> String { await line(of: output) }

  /// The next line that a stand-in for its browser writes to the descriptor that is kept for it, which is 6 there.
  func browserLine() async -> String { await line(of: lifeline) }

  private func line(of file: FileHandle) async -> String {
    await onThread {
      var bytes: [UInt8] = []
      while let byte = try? file.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { bytes.append(byte) }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// All that the process prints, up to its end.
  func lines() async -> [String] {
    await onThread {
      let text = String(decoding: (try? output.readToEnd()) ?? Data(), as: UTF8.self)
      return text.split(separator: "\n").map(String.init)
    }
  }

  /// Waits until neither the process nor its browser is left, and takes the process's status.
  func end() async -> Int32 {
    await onThread {
      _ = try? lifeline.readToEnd()
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }
  }
}

/// What one end writes the other reads, and no other child inherits: a browser that another test starts would hold it open.
///
/// Two sockets, since those are closed in children from the beginning, and a pipe only a moment later.
private struct Line {
  let reading: FileHandle
  let writing: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw POSIXError(.EMFILE) }
    #if !canImport(Glibc)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #endif
    reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    writing = ends[1]
  }
}
