#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How a terminal was and how a session has it, in memory that a signal handler may use.
///
/// `enter` and `leave` are async-signal-safe: they allocate nothing and make only system calls that POSIX lists.
struct TerminalRecord {
  private var input: Int32 = -1
  private var output: Int32 = -1
  private var original = termios()
  private var raw = termios()
  private var entering = SequenceBytes()
  private var leaving = SequenceBytes()

  /// Waits until the terminal is this process group's, stopped like any program that wants it in the background; false, with
  /// `errno` set, when nobody can ever give it.
  ///
  /// The system stops who wants something of a terminal from the background, unless the thread has the signal blocked, as
  /// those of a pool do. What is wanted here changes nothing: the mode would be the one from before the stop.
  static func awaitForeground(_ descriptor: Int32) -> Bool {
    let owner = tcgetpgrp(descriptor)
    guard owner > 0, owner != getpgrp() else { return true }
    var stop = sigset_t()
    var before = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTTOU)
    pthread_sigmask(SIG_UNBLOCK, &stop, &before)
    var result = tcdrain(descriptor)
    while result != 0, errno == EINTR { result = tcdrain(descriptor) }
    let code = errno
    pthread_sigmask(SIG_SETMASK, &before, nil)
    errno = code
    return result == 0
  }

  /// Reads the terminal's mode and remembers it; false, with `errno` set, when that fails.
  mutating func fill(input: Int32, output: Int32, entering: [UInt8], leaving: [UInt8]) -> Bool {
    self.input = input
    self.output = output
    guard tcgetattr(input, &original) == 0 else { return false }
    raw = original
    cfmakeraw(&raw)
    self.entering.fill(entering)
    self.leaving.fill(leaving)
    return true
  }

  /// Raw mode and the features on; false, with `errno` set, when the mode cannot be set.
  mutating func enter() -> Bool {
    guard setMode(&raw) else { return false }
    entering.write(to: output)
    return true
  }

  /// The features off and the mode as it was, unless the terminal has been given to another process group, whose it
  /// then is.
  mutating func leave() {
    let owner = tcgetpgrp(input)
    guard owner < 0 || owner == getpgrp() else { return }
    var stop = sigset_t()
    var before = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTTOU)
    // The group may lose the terminal right here; then SIGTTOU would stop a process that is about to end.
    pthread_sigmask(SIG_BLOCK, &stop, &before)
    leaving.write(to: output)
    _ = setMode(&original)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  private func setMode(_ mode: inout termios) -> Bool {
    while tcsetattr(input, TCSANOW, &mode) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }
}

/// A few bytes in memory that is never freed.
private struct SequenceBytes {
  private static let capacity = 64
  private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
  private var count = 0

  mutating func fill(_ source: [UInt8]) {
    count = min(source.count, Self.capacity)
    for index in 0..<count { bytes[index] = source[index] }
  }

  /// Writes the bytes, and gives up on a reader that takes none for a second: a crash must not hang.
  func write(to descriptor: Int32) {
    var written = 0
    var patience = 10
    while written < count, patience > 0 {
      let step = System.write(descriptor, bytes + written, count - written)
      if step > 0 {
        written += step
      } else if errno == EAGAIN {
        patience -= 1
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&waiting, 1, 100)
      } else if errno == EINTR {
        patience -= 1
      } else {
        return
      }
    }
  }
}
