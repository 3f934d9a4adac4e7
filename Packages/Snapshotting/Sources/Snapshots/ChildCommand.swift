internal import Foundation

/// A command that runs in the process group of this process, so that Ctrl-C reaches it.
///
/// Foundation's `Process` starts a process group of its own on Linux.
enum ChildCommand {
  /// Runs a command, found in `PATH`, and returns its exit code; 128 and the number of the signal if a signal ends it.
  static func run(_ words: [String], environment: [String: String]) throws(POSIXError) -> Int32 {
    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in arguments + variables { free(word) } }
    var process = pid_t()
    // A child inherits that a signal is ignored.
    let handling = signal(SIGPIPE, SIG_DFL)
    let code = posix_spawnp(&process, words.first ?? "", nil, nil, arguments, variables)
    signal(SIGPIPE, handling)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ENOENT) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
  }
}
