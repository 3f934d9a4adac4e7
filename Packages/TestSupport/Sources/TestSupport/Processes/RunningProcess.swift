#if os(Linux) || os(macOS)
  internal import Foundation

  /// A process on this machine, for tests that no process is left running.
  ///
  /// ```swift
  /// let before = RunningProcess.descendants(of: tour.processIdentifier)
  /// tour.send(SIGINT)
  /// _ = await tour.outcome()
  /// #expect(Set(before).isDisjoint(with: RunningProcess.all))
  /// ```
  ///
  /// The data is from `/proc`, so the list is empty on systems without it, such as macOS. Because the system reuses
  /// identifiers, two values are equal if both the identifier and the start time are equal. The parent can change.
  public struct RunningProcess: Hashable, Sendable {
    /// The process identifier.
    public let processIdentifier: Int32
    /// The identifier of the parent, or of the process that has adopted this process.
    public let parent: Int32
    /// The start time in ticks since the start of the system.
    private let start: String

    private init?(_ number: Int32) {
      // The name, in parentheses, can contain any characters.
      guard let text = Self.read(number, "stat"), let end = text.lastIndex(of: ")") else { return nil }
      let fields = text[text.index(after: end)...].split(separator: " ")
      // A zombie process has ended.
      guard fields.count > 19, fields[0] != "Z", let parent = Int32(fields[1]) else { return nil }
      (processIdentifier, self.parent, start) = (number, parent, String(fields[19]))
    }

    /// Whether both values are the same process.
    public static func == (left: RunningProcess, right: RunningProcess) -> Bool {
      left.processIdentifier == right.processIdentifier && left.start == right.start
    }

    /// Hashes the identifier and the start time.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(processIdentifier)
      hasher.combine(start)
    }

    /// The current name and arguments; empty if the process has ended or this user may not read them.
    public var arguments: [String] { words("cmdline") }

    /// The environment at the start of the process, each variable as `NAME=value`.
    ///
    /// Empty if the process has ended or this user may not read it.
    public var environment: [String] { words("environ") }

    /// All running processes.
    public static var all: [RunningProcess] {
      ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
        .compactMap(RunningProcess.init)
    }

    /// Returns the running children of a process, and all their descendants.
    ///
    /// - Parameter processIdentifier: The identifier of the process.
    public static func descendants(of processIdentifier: Int32) -> [RunningProcess] {
      let children = Dictionary(grouping: all, by: \.parent)
      var found = children[processIdentifier] ?? []
      var index = 0
      while index < found.count {
        found += children[found[index].processIdentifier] ?? []
        index += 1
      }
      return found
    }

    private func words(_ name: String) -> [String] {
      Self.read(processIdentifier, name)?.split(separator: "\0").map(String.init) ?? []
    }

    /// Reads a file of a process without mapping it, because the process can end during the read.
    private static func read(_ number: Int32, _ name: String) -> String? {
      FileManager.default.contents(atPath: "/proc/\(number)/\(name)").map { String(decoding: $0, as: UTF8.self) }
    }
  }
#endif
