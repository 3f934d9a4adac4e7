import Foundation

/// The `diff` of the system.
enum DiffCommand {
  /// Runs `diff -u old new` to its end, its output to nowhere.
  ///
  /// By `posix_spawn`, since Foundation's `Process` takes longer to start a process than the process does.
  static func run(_ old: String, _ new: String) {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let words: [String] = [path, "-u", old, new]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    guard posix_spawn(&process, path, &actions, nil, &arguments, environ) == 0 else {
      fail("\(path) cannot be started; apt install diffutils, or leave it out with --filter")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    // 0 for no difference, 1 for one, in the second byte.
    guard status == 0 || status == 0x100 else { fail("\(path) -u \(old) \(new) ended with status \(status >> 8)") }
  }

  private static let path = "/usr/bin/diff"
}

/// Ends the command: its numbers would mean nothing.
func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("error: \(message)\n".utf8))
  exit(2)
}
