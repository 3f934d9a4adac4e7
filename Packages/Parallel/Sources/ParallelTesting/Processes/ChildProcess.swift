#if os(Linux) || os(macOS)
  internal import Foundation

  /// A program in a process of its own: what it writes is read, and it can be sent signals.
  ///
  /// ```swift
  /// let server = try ChildProcess(ChildProcess.path(besideTests: "server"), ["--port", "0"])
  /// #expect(await server.line()?.hasPrefix("listening") == true)
  /// server.send(SIGINT)
  /// #expect(await server.outcome().status == 130)
  /// ```
  ///
  /// Its standard input is empty, no signal is blocked in it, none that asks it to end is ignored, and on Linux and macOS it
  /// has none of this process's open files and sockets. Waiting for it takes a thread of its own, none of Swift's pool or of
  /// Dispatch. A process that nobody holds any more is killed.
  ///
  /// `Foundation.Process` is not used: on Linux its notice that a process has ended can be lost while many descriptors are open.
  public final class ChildProcess: Sendable {
    /// How a process ended, and what it had written that nobody had read.
    public struct Outcome: Sendable, Hashable {
      /// The exit code, or minus the signal that ended it.
      public let status: Int32
      /// What was left of its standard output; bytes that are no UTF-8 become U+FFFD.
      public let output: String
      /// Its standard error, all of it.
      public let errors: String
    }

    /// The number that the system knows it by, until it has ended.
    public let processIdentifier: Int32

    private let output: ReadingEnd
    private let errors: Task<String, Never>
    private let life: ProcessLife
    private let status: Task<Int32, Never>

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: Where the program is; no folder is searched for it.
    ///   - arguments: Its arguments, without its name.
    ///   - environment: All of its variables.
    /// - Throws: ``ChildProcessError`` when it cannot be started.
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
      // From the beginning, so that a child that writes much there does not wait for somebody to read it.
      self.errors = Task { await errors.rest() }
      status = Task { await onThread { life.end() } }
    }

    deinit { life.send(SIGKILL) }

    /// Sends a signal; a process that has ended gets none.
    ///
    /// - Parameter signal: The signal's number, such as `SIGINT`.
    public func send(_ signal: Int32) { life.send(signal) }

    /// The next line of its standard output, without the line feed; `nil` when no whole line comes any more.
    ///
    /// For one reader at a time.
    public func line() async -> String? { await output.line() }

    /// Waits until it has ended, and nobody has its outputs open any more.
    public func outcome() async -> Outcome {
      let (rest, errors) = (await output.rest(), await errors.value)
      return Outcome(status: await status.value, output: rest, errors: errors)
    }

    /// Where a program is that was built beside the tests.
    ///
    /// - Parameter name: The name of the executable product or target.
    /// - Throws: ``ChildProcessError`` that says where it was looked for.
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

  /// Why a process could not be started: what was tried, what came back, and the way out.
  public struct ChildProcessError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What happened, and what to do.
    public let description: String
  }

  /// Whether a process is still there, so that no other one of the same number gets its signals.
  ///
  /// `@unchecked Sendable`: `lock` guards `isOver`.
  private final class ProcessLife: @unchecked Sendable {
    private let process: pid_t
    private let lock = NSLock()
    private var isOver = false

    init(of process: pid_t) { self.process = process }

    func send(_ signal: Int32) { lock.withLock { if !isOver { kill(process, signal) } } }

    /// Waits for the end, and takes the status: the exit code, or minus the signal.
    func end() -> Int32 {
      var information = siginfo_t()
      // The number stays the process's own until it is waited for without this flag.
      while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      return lock.withLock {
        isOver = true
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
      }
    }
  }
#endif
