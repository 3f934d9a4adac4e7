import Foundation

/// The system's `diff` command.
enum DiffCommand {
  /// Runs `diff -u old new` and discards its output.
  ///
  /// Uses `posix_spawn`, because Foundation's `Process` takes longer to start a process than `diff` takes to run.
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
    let code = posix_spawn(&process, path, &actions, nil, &arguments, environ)
    guard code == 0 else {
      fail("Cannot start \(path): \(String(cString: strerror(code))). Install it with apt install diffutils.")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    // The exit code is in the second byte: 0 for equal files, 1 for different files.
    guard status == 0 || status == 0x100 else {
      fail("Cannot compare \(old) with \(new): \(path) exited with status \(status >> 8). Check the temporary folder.")
    }
  }

  private static let path = "/usr/bin/diff"
}

/// Prints an error and exits with 2, because the measurements would be meaningless.
func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("error: \(message)\n".utf8))
  exit(2)
}
