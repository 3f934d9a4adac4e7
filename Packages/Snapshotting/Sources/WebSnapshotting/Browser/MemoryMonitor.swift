internal import Foundation

/// Measures the memory of page processes during captures, and kills processes above a limit.
///
/// The browser itself limits only the objects of scripts, and not buffers, canvases or documents. The measure is a process's own
/// memory. The tiles of a large image are shared and do not count. The capture of the page fails as after any crash.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class MemoryMonitor: @unchecked Sendable {
  /// Whether the system reports the memory of a process.
  static let isPossible = memory(of: getpid()) != nil

  /// The interval of measurements, in which a page can allocate a few hundred megabytes.
  private static let interval = Duration.milliseconds(100)

  private let process: BrowserProcess
  private let connection: Connection
  private let limit: Int
  private let clock: any Clock<Duration>
  private let lock = NSLock()
  private var task: Task<Void, Never>?
  private var captures = 0
  private var largest = 0

  init(_ process: BrowserProcess, _ connection: Connection, limit: Int, clock: any Clock<Duration>) {
    self.process = process
    self.connection = connection
    self.limit = limit
    self.clock = clock
  }

  deinit {
    task?.cancel()
  }

  func beginCapture() {
    lock.withLock {
      captures += 1
      guard Self.isPossible, task == nil else { return }
      largest = 0
      task = start()
    }
  }

  /// Ends the measurements for a capture, after one more if no other capture runs.
  func endCapture() {
    lock.withLock { captures -= 1 }
  }

  var isOn: Bool { lock.withLock { task != nil } }

  /// Whether a page used more than a quarter of the limit at the last measurement.
  ///
  /// Its process is not reused.
  var isHigh: Bool { lock.withLock { largest > limit / 4 } }

  private func start() -> Task<Void, Never> {
    Task(executorPreference: BrowserExecutor.shared) { [weak self, clock] in
      while (try? await clock.sleep(for: Self.interval)) != nil {
        guard let self else { return }
        // A refused measurement is repeated at the next interval.
        try? await self.measure()
        guard self.connection.closeReason == nil, self.continues() else { return }
      }
    }
  }

  private func continues() -> Bool {
    lock.withLock {
      if captures == 0 { task = nil }
      return captures > 0
    }
  }

  func measure() async throws {
    let reply = try await connection.send("SystemInfo.getProcessInfo")
    let pages = (reply["processInfo"]?.array ?? []).filter { $0["type"]?.string == "renderer" }
    var largest = 0
    for page in pages.compactMap({ $0["id"]?.integer.flatMap(pid_t.init(exactly:)) }) {
      guard let memory = Self.memory(of: page) else { continue }
      largest = max(largest, memory)
      if memory > limit { process.kill(descendant: page) }
    }
    lock.withLock { self.largest = largest }
  }

  private static func memory(of process: pid_t) -> Int? {
    (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)).flatMap(ownBytes)
  }

  static func ownBytes(in status: String) -> Int? {
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
  }
}
