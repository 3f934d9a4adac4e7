import Foundation

/// A running process, from `/proc`, for tests that no process is left running.
struct RunningProcess {
  /// The environment at the start of the process, each variable as `NAME=value`.
  let environment: [String]

  /// All running processes whose environment this user may read; empty on systems without `/proc`, such as macOS.
  static var all: [RunningProcess] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.filter { Int32($0) != nil }.compactMap { name in
      FileManager.default.contents(atPath: "/proc/\(name)/environ").map { data in
        RunningProcess(environment: data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
      }
    }
  }
}
