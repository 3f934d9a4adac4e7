import Foundation

/// The demo command, run as a person runs it.
///
/// It is spawned here rather than by `Foundation.Process`, whose notice that a process has ended can be lost on Linux
/// while many descriptors are open.
struct DemoProcess: Sendable {
  struct Outcome: Sendable {
    let status: Int32
    let output: String
    let errors: String
  }

  /// Runs the command to its end.
  static func run(_ arguments: String...) async throws -> Outcome {
    try await start(arguments).outcome()
  }

  /// Starts the command, to be interrupted later.
  ///
  /// - Parameter environment: Variables beside `PATH`.
  static func start(_ arguments: [String], environment: [String: String] = [:]) throws -> DemoProcess {
    try DemoProcess(path, arguments, environment)
  }

  /// Runs a line of Bash, in which `$demo` is the command.
  static func bash(_ line: String) async throws -> Outcome {
    try await DemoProcess("/bin/bash", ["-c", "demo='\(path)'; \(line)"]).outcome()
  }

  /// Beside the test bundle, which is what runs this.
  private static var path: String {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "demo").path
  }

  /// Its number, until `outcome` returns.
  let process: pid_t
  private let output: ReadingEnd
  private let errors: ReadingEnd

  private init(_ path: String, _ arguments: [String], _ environment: [String: String] = [:]) throws {
    let (output, errors) = (try Pipe(), try Pipe())
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
    posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.merging(["PATH": "/usr/bin:/bin"]) { given, _ in given }.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var process: pid_t = 0
    // Whatever this process was started to ignore.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGHUP, SIGTERM] { sigaddset(&signals, signal) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let code = posix_spawn(&process, path, &actions, &attributes, &words, &variables)
    close(output.writing)
    close(errors.writing)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
    self.process = process
    self.output = ReadingEnd(output.reading)
    self.errors = ReadingEnd(errors.reading)
  }

  /// Sends what Ctrl-C sends.
  func interrupt() { send(SIGINT) }

  func send(_ signal: Int32) {
    kill(process, signal)
  }

  /// Ends it without a word, as a crash does.
  func end() {
    kill(process, SIGKILL)
  }

  /// The next line that it prints; `nil` when it ends before.
  func firstLine() async -> String? { await output.line() }

  /// Waits for the end; called once.
  func outcome() async -> Outcome {
    let (output, errors) = (await output.text(), await errors.text())
    return Outcome(status: await status(), output: output, errors: errors)
  }

  /// The exit code, or minus the signal that ended the process.
  private func status() async -> Int32 {
    await onThread { [process] in
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }
  }
}

/// Both ends of a pipe, of which no other process that is started here keeps one.
private struct Pipe {
  let reading: Int32
  let writing: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
  }
}

/// All that comes out of a pipe.
private struct ReadingEnd: Sendable {
  private let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// The next line, without its end, and nothing after it.
  func line() async -> String? {
    await onThread { [descriptor] in
      var bytes: [UInt8] = []
      var byte: UInt8 = 0
      while true {
        let count = read(descriptor, &byte, 1)
        if count == 1, byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
        if count == 1 { bytes.append(byte) } else if count == 0 || errno != EINTR { return nil }
      }
    }
  }

  func text() async -> String {
    await onThread { [descriptor] in
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(descriptor, &chunk, chunk.count)
        if count > 0 {
          bytes += chunk[..<count]
        } else if count == 0 || errno != EINTR {
          break
        }
      }
      close(descriptor)
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}

/// Waits for what blocks, on a thread that may be blocked.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: work()) }
  }
}
