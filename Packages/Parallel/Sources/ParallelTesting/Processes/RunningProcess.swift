#if os(Linux) || os(macOS)
  internal import Foundation

  /// A process of this machine, for a test that shows that none is left.
  ///
  /// ```swift
  /// let before = RunningProcess.descendants(of: tour.processIdentifier)
  /// tour.send(SIGINT)
  /// _ = await tour.outcome()
  /// #expect(Set(before).isDisjoint(with: RunningProcess.all))
  /// ```
  ///
  /// It is what `/proc` tells of those that run; a system without that, such as macOS, has none to be seen. Two are equal when they
  /// are the same process: numbers are used again, and so it is told apart by the time it began as well. Who its parent is may
  /// change meanwhile.
  public struct RunningProcess: Hashable, Sendable {
    /// The number that the system knows it by.
    public let processIdentifier: Int32
    /// The number of the process that started it, or that has adopted it since.
    public let parent: Int32
    /// When it began, in ticks since the system did.
    private let start: String

    private init?(_ number: Int32) {
      // The name, in parentheses, may have anything in it.
      guard let text = Self.read(number, "stat"), let end = text.lastIndex(of: ")") else { return nil }
      let fields = text[text.index(after: end)...].split(separator: " ")
      // One that has ended and that nobody has asked about yet runs no more.
      guard fields.count > 19, fields[0] != "Z", let parent = Int32(fields[1]) else { return nil }
      (processIdentifier, self.parent, start) = (number, parent, String(fields[19]))
    }

    /// Whether both are the same process.
    public static func == (left: RunningProcess, right: RunningProcess) -> Bool {
      left.processIdentifier == right.processIdentifier && left.start == right.start
    }

    /// Hashes what tells it apart.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(processIdentifier)
      hasher.combine(start)
    }

    /// Its name and its arguments as they are now; none when it has ended, or is not this user's to look at.
    public var arguments: [String] { words("cmdline") }

    /// The variables of the environment that it was started with, each as `NAME=value`; none when it has ended, or is not this
    /// user's to look at.
    public var environment: [String] { words("environ") }

    /// All that run now.
    public static var all: [RunningProcess] {
      ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
        .compactMap(RunningProcess.init)
    }

    /// The children of a process that run now, and all children of theirs.
    ///
    /// - Parameter processIdentifier: The number of the process.
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

    /// With plain reads: nothing here is worth a mapping, and a process may end meanwhile.
    private static func read(_ number: Int32, _ name: String) -> String? {
      FileManager.default.contents(atPath: "/proc/\(number)/\(name)").map { String(decoding: $0, as: UTF8.self) }
    }
  }
#endif
