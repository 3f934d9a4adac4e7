import Foundation
import PackagePlugin

/// `swift package review-snapshots`: runs a subcommand of `snapshots`, by default `review`.
///
/// SwiftPM uses the standard input and output of a plugin, and runs it in a process group that cannot read the terminal. A review
/// therefore opens the terminal, and makes the group of the plugin the foreground group while it runs.
@main
struct ReviewSnapshotsPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let arguments = arguments.isEmpty ? ["review"] : arguments
    // SwiftPM locks the build folder while a plugin runs, so `swift test` would wait forever.
    guard arguments.first != "test" else {
      return Diagnostics.error(
        "Cannot run tests from a plugin, because it locks the build folder. Run: swift run snapshots "
          + arguments.joined(separator: " "))
    }
    guard chdir(context.package.directoryURL.path) == 0 else {
      return Diagnostics.error("Cannot open the folder of the package: \(String(cString: strerror(errno))).")
    }
    let terminal = arguments.first == "review" ? open("/dev/tty", O_RDWR) : -1
    let foreground = tcgetpgrp(terminal)
    // Changing the foreground group from the background would stop this process.
    signal(SIGTTOU, SIG_IGN)
    _ = tcsetpgrp(terminal, getpgrp())
    let code = run([try context.tool(named: "Snapshots").url.path] + arguments, on: terminal)
    _ = tcsetpgrp(terminal, foreground)
    if code != 0 { Diagnostics.error("snapshots ended with exit code \(code).") }
  }

  /// Runs a program, and returns its exit code.
  private func run(_ words: [String], on terminal: Int32) -> Int32 {
    let arguments = words.map { strdup($0) } + [nil]
    defer { for word in arguments { free(word) } }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if terminal >= 0 {
      for descriptor in Int32(0)...1 { posix_spawn_file_actions_adddup2(&actions, terminal, descriptor) }
    }
    var process = pid_t()
    let code = posix_spawn(&process, words[0], &actions, nil, arguments, environ)
    guard code == 0 else { return code }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
  }
}
