#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The original mode and the session's mode of a terminal, in memory that a signal handler can use.
///
/// `enter` and `leave` are async-signal-safe: they do not allocate, and make only system calls from the POSIX list.
struct TerminalRecord {
  private var input: Int32 = -1
  private var output: Int32 = -1
  private var original = termios()
  private var raw = termios()
  private var entering = SequenceBytes()
  private var leaving = SequenceBytes()

  /// Waits until this process group is the terminal's foreground group.
  ///
  /// A background process stops here. Returns false, with `errno` set, when the group can never move to the foreground.
  ///
  /// The system stops a background process that changes the terminal, unless the thread blocks SIGTTOU, as the threads
  /// of a thread pool do. `tcdrain` triggers the stop without changing the terminal. Setting the mode here would instead
  /// apply a mode that was read before the stop.
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

  /// Reads and stores the terminal's mode; returns false, with `errno` set, when that fails.
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

  /// Enables raw mode and the features; returns false, with `errno` set, when the mode cannot be set.
  mutating func enter() -> Bool {
    guard setMode(&raw) else { return false }
    entering.write(to: output)
    return true
  }

  /// Disables the features and restores the original mode, unless the terminal now belongs to another process group.
  mutating func leave() {
    let owner = tcgetpgrp(input)
    guard owner < 0 || owner == getpgrp() else { return }
    var stop = sigset_t()
    var before = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTTOU)
    // If the group loses the terminal here, SIGTTOU would stop a process that is about to exit.
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

/// A short byte sequence in memory that is never freed.
private struct SequenceBytes {
  private static let capacity = 64
  private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
  private var count = 0

  mutating func fill(_ source: [UInt8]) {
    count = min(source.count, Self.capacity)
    for index in 0..<count { bytes[index] = source[index] }
  }

  /// Writes the bytes, and gives up after about a second of waiting for the reader: a crash must not hang.
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
