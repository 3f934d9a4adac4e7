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
  /// Linux and macOS it does not inherit open files and sockets. A separate thread waits for its end, not a thread of
  /// Swift's pool or Dispatch. Releasing the last reference kills the process.
  ///
  /// `Foundation.Process` is not used: on Linux, with many open descriptors, it can miss that a process has ended.
  public final class ChildProcess: Sendable {
    /// The status of an ended process, and its unread output.
    public struct Outcome: Sendable, Hashable {
      /// The exit code, or the negative number of the signal that ended the process.
      public let status: Int32
      /// The unread standard output, with U+FFFD for bytes that are not UTF-8.
      public let output: String
      /// The complete standard error.
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
    /// - Parameters:
    ///   - path: The path of the program. `PATH` is not searched.
    ///   - arguments: The arguments without the program's name.
    ///   - environment: The complete environment.
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
    ///
    /// - Parameter signal: The signal's number, such as `SIGINT`.
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
    /// - Parameter name: The name of the executable product or target.
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
    /// The problem and its solution.
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
#endif
