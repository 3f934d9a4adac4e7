internal import Foundation

/// Looks at how much memory the processes of pages take while pages are captured, and ends those that take too much.
///
/// The browser itself bounds only what scripts allocate as objects: not buffers, canvases or documents, which can take all there is of
/// the machine. What counts is what a process has for itself, without the tiles of a large picture, which it shares. The page's
/// capture fails as with any crash.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class MemoryWatch: @unchecked Sendable {
  /// Whether the system says how much memory a process takes.
  static let isPossible = memory(of: getpid()) != nil

  /// How long it takes to notice, in which a page gets a few hundred megabytes.
  private static let interval = Duration.milliseconds(100)

  private let process: BrowserProcess
  private let connection: Connection
  private let limit: Int
  private let clock: any Clock<Duration>
  private let lock = NSLock()
  private var task: Task<Void, Never>?
  private var isWanted = false
  private var most = 0

  init(_ process: BrowserProcess, _ connection: Connection, limit: Int, clock: any Clock<Duration>) {
    self.process = process
    self.connection = connection
    self.limit = limit
    self.clock = clock
  }

  deinit {
    task?.cancel()
  }

  /// Begins to look, or ends to after one more look: captures that are shorter than it takes to look are seen together.
  func setOn(_ isOn: Bool) {
    lock.withLock {
      isWanted = isOn
      guard Self.isPossible, isOn, task == nil else { return }
      most = 0
      task = start()
    }
  }

  /// Whether it looks, or is about to.
  var isOn: Bool { lock.withLock { task != nil } }

  /// Whether a page had much of what it may have when they were looked at last: its process is better not used for another.
  var sawMuch: Bool { lock.withLock { most > limit / 4 } }

  private func start() -> Task<Void, Never> {
    Task(executorPreference: BrowserExecutor.shared) { [weak self, clock] in
      while (try? await clock.sleep(for: Self.interval)) != nil {
        guard let self else { return }
        // One look that was refused is no reason not to look again.
        try? await self.look()
        guard self.connection.end == nil, self.goesOn() else { return }
      }
    }
  }

  private func goesOn() -> Bool {
    lock.withLock {
      if !isWanted { task = nil }
      return isWanted
    }
  }

  /// Looks at all pages once.
  func look() async throws {
    let reply = try await connection.send("SystemInfo.getProcessInfo")
    let pages = (reply["processInfo"]?.array ?? []).filter { $0["type"]?.string == "renderer" }
    var most = 0
    for page in pages.compactMap({ $0["id"]?.integer.flatMap(pid_t.init(exactly:)) }) {
      guard let memory = Self.memory(of: page) else { continue }
      most = max(most, memory)
      if memory > limit { process.kill(descendant: page) }
    }
    lock.withLock { self.most = most }
  }

  /// How many bytes a process has for itself; `nil` when the system does not say.
  private static func memory(of process: pid_t) -> Int? {
    (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)).flatMap(ownBytes)
  }

  /// The number in Linux's words on a process.
  static func ownBytes(in status: String) -> Int? {
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
  }
}
