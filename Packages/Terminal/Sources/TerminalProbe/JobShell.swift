#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A minimal shell that waits for a job to stop, continues it, and prints whether the job restored the terminal mode.
struct JobShell {
  struct Failure: Error {}

  private let mode = try? Mode.current()

  func run(_ kind: String) throws {
    let job = try spawn(kind)
    try report("STOPPED", awaiting: job)
    tcsetpgrp(0, job)
    kill(-job, SIGCONT)
    try report("ENDED", awaiting: job)
  }

  /// Waits for the job to stop or end, moves to the foreground and prints whether the terminal mode is restored.
  private func report(_ word: String, awaiting job: pid_t) throws {
    var status: Int32 = 0
    guard waitpid(job, &status, WUNTRACED) == job else { throw Failure() }
    Self.takeForeground()
    let isRestored = try mode == Mode.current()
    print("\(word) \(isRestored ? "restored" : "raw")", terminator: "\r\n")
    fflush(nil)
  }

  private func spawn(_ kind: String) throws -> pid_t {
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t?
    #else
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawnattr_init(&attributes)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)
    var arguments = [strdup(CommandLine.arguments[0]), strdup(kind), nil]
    var job: pid_t = 0
    guard posix_spawn(&job, CommandLine.arguments[0], nil, &attributes, &arguments, environ) == 0 else {
      throw Failure()
    }
    return job
  }

  /// Makes this process group the foreground group, as a shell does; blocks SIGTTOU, which would stop a background group.
  static func takeForeground() {
    var stop = sigset_t()
    var before = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTTOU)
    sigprocmask(SIG_BLOCK, &stop, &before)
    tcsetpgrp(0, getpgrp())
    sigprocmask(SIG_SETMASK, &before, nil)
  }

  private struct Mode: Equatable {
    var input: tcflag_t
    var output: tcflag_t
    var local: tcflag_t

    static func current() throws -> Mode {
      var mode = termios()
      guard tcgetattr(0, &mode) == 0 else { throw Failure() }
      return Mode(input: mode.c_iflag, output: mode.c_oflag, local: mode.c_lflag)
    }
  }
}
