#if os(Linux) || os(macOS)
  internal import Foundation

  /// A child process, whose output is read and which can receive signals.
  ///
  /// ```swift
  /// let server = try ChildProcess(ChildProcess.path(besideTests: "server"), ["--port", "0"])
  /// #expect(await server.line()?.hasPrefix("listening") == true)
  /// server.send(SIGINT)
  /// #expect(await server.outcome().status == 130)
  /// ```
  ///
  /// Its standard input is empty, it blocks no signals, and it does not ignore the signals that terminate processes. On
  /// Linux and macOS it does not inherit open files and sockets. A separate thread waits for its end. Releasing the last reference kills the process.
  ///
  /// `Foundation.Process` starts a process group for its child, so Ctrl-C would end the tests and not their children.
  public final class ChildProcess: Sendable {
    /// The status of an ended process, and its unread output.
    public struct Outcome: Sendable, Hashable {
      /// The exit code, or the negative number of the signal that ended the process.
      public let status: Int32
      /// The unread standard output, with U+FFFD for bytes that are not UTF-8.
      public let output: String
      public let errors: String
    }

    /// The process identifier, which is valid until the process has ended.
    public let processIdentifier: Int32

    private let output: ReadingEnd
    private let errors: Task<String, Never>
    private let life: ProcessLife
    private let status: Task<Int32, Never>

    /// Starts a program.
    ///
    /// - Throws: ``ChildProcessError`` if the program cannot be started.
    public init(
      _ path: String, _ arguments: [String] = [],
      environment: [String: String] = ["PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"]
    ) throws(ChildProcessError) {
      let spawned = try spawn(path, arguments, environment)
      let life = ProcessLife(of: spawned.process)
      let errors = ReadingEnd(spawned.errors)
      self.life = life
      processIdentifier = spawned.process
      output = ReadingEnd(spawned.output)
      // Read from the start, so that a child that writes much does not block.
      self.errors = Task { await errors.rest() }
      status = Task { await onThread { life.end() } }
    }

    deinit { life.send(SIGKILL) }

    /// Sends a signal, unless the process has ended.
    public func send(_ signal: Int32) { life.send(signal) }

    /// Returns the next line of the standard output without the line feed, or `nil` after the last complete line.
    ///
    /// Only one task can read at a time.
    public func line() async -> String? { await output.line() }

    /// Waits until the process has ended and all writers have closed its outputs.
    public func outcome() async -> Outcome {
      let (rest, errors) = (await output.rest(), await errors.value)
      return Outcome(status: await status.value, output: rest, errors: errors)
    }

    /// Returns the path of a program that was built beside the tests.
    ///
    /// - Throws: ``ChildProcessError`` with the searched paths.
    public static func path(besideTests name: String) throws(ChildProcessError) -> String {
      let starts = [CommandLine.arguments[0]] + Bundle.allBundles.map(\.bundlePath) + [Bundle.main.bundlePath + "/x"]
      let candidates = starts.map {
        URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent(name).path
      }
      guard let found = candidates.first(where: { access($0, X_OK) == 0 }) else {
        throw ChildProcessError(
          description: "Cannot find the program \(name) beside the tests: none of these files is executable: "
            + "\(candidates.joined(separator: ", ")). Make the program a dependency of the test target.")
      }
      return found
    }
  }

  /// The error of a process that cannot be started.
  public struct ChildProcessError: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String
  }

  /// Records whether a process has ended, so that signals do not reach a later process with the same identifier.
  ///
  /// `@unchecked Sendable`: `lock` guards `isOver`.
  private final class ProcessLife: @unchecked Sendable {
    private let process: pid_t
    private let lock = NSLock()
    private var isOver = false

    init(of process: pid_t) { self.process = process }

    func send(_ signal: Int32) { lock.withLock { if !isOver { kill(process, signal) } } }

    /// Waits for the end and returns the exit code, or the negative number of the signal.
    func end() -> Int32 {
      var information = siginfo_t()
      // The system does not reuse the identifier before a wait without this flag.
      while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      return lock.withLock {
        isOver = true
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
      }
    }
  }

  /// Starts a program and returns the descriptors of its outputs.
  private func spawn(
    _ path: String, _ arguments: [String], _ environment: [String: String]
  ) throws(ChildProcessError) -> (process: pid_t, output: Int32, errors: Int32) {
    guard let output = Line() else { throw outOfDescriptors(path) }
    guard let errors = Line() else {
      close(output.reading)
      close(output.writing)
      throw outOfDescriptors(path)
    }
    defer {
      close(output.writing)
      close(errors.writing)
    }
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
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
    posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)
    // The threads of tests block most signals, and a child would inherit that.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // Reset the signals that this process ignores, for example because of `nohup`.
    var ends = sigset_t()
    sigemptyset(&ends)
    for signal in [SIGINT, SIGHUP, SIGTERM, SIGQUIT] { sigaddset(&ends, signal) }
    posix_spawnattr_setsigdefault(&attributes, &ends)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    // If a child kept a socket open, the other end would not see that this process closes it.
    #if canImport(Darwin)
      posix_spawnattr_setflags(&attributes, Int16(flags | POSIX_SPAWN_CLOEXEC_DEFAULT))
    #else
      posix_spawnattr_setflags(&attributes, Int16(flags))
      closeDescriptors(from: 3, in: &actions)
    #endif
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, path, &actions, &attributes, &words, &variables)
    guard code == 0 else {
      close(output.reading)
      close(errors.reading)
      throw ChildProcessError(
        description: "Cannot start \(path): \(String(cString: strerror(code))). Check the path and its permissions.")
    }
    return (process, output.reading, errors.reading)
  }

  #if !canImport(Darwin)
    /// Closes all descriptors of a child from a number on, if the C library can.
    ///
    /// Needs glibc 2.34, which hides the function from Swift behind a macro.
    private func closeDescriptors(from first: Int32, in actions: inout posix_spawn_file_actions_t) {
      typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
      guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
      _ = unsafeBitCast(symbol, to: CloseFrom.self)(&actions, first)
    }
  #endif

  private func outOfDescriptors(_ path: String) -> ChildProcessError {
    ChildProcessError(
      description: "Cannot start \(path): \(String(cString: strerror(errno))). Raise the limit with 'ulimit -n'.")
  }

  /// A connection from a child's output to this process, which other children do not inherit.
  ///
  /// It uses sockets because these can be created with close-on-exec. A pipe gets that flag only afterwards.
  private struct Line {
    let reading: Int32
    let writing: Int32

    init?() {
      var ends: [Int32] = [-1, -1]
      #if canImport(Glibc)
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      #else
        let type = SOCK_STREAM
      #endif
      guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
      #if !canImport(Glibc)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      #endif
      (reading, writing) = (ends[0], ends[1])
    }
  }

  /// Reads lines and then the rest from a descriptor that it owns.
  private actor ReadingEnd {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var hasEnded = false

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    func line() async -> String? {
      while true {
        if let index = buffer.firstIndex(of: UInt8(ascii: "\n")) {
          defer { buffer.removeFirst(index + 1) }
          return String(decoding: buffer[..<index], as: UTF8.self)
        }
        if hasEnded { return nil }
        await readSome()
      }
    }

    func rest() async -> String {
      while !hasEnded { await readSome() }
      defer { buffer = [] }
      return String(decoding: buffer, as: UTF8.self)
    }

    private func readSome() async {
      let bytes = await onThread { [descriptor] () -> [UInt8] in
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
          let count = read(descriptor, &chunk, chunk.count)
          if count >= 0 || errno != EINTR { return Array(chunk.prefix(max(count, 0))) }
        }
      }
      buffer += bytes
      if bytes.isEmpty { hasEnded = true }
    }
  }
#endif
