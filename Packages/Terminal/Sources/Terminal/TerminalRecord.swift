import Foundation

/// The original mode and the session's mode of a terminal, in memory that a signal handler can use.
///
/// `enter` and `leave` are async-signal-safe: they do not allocate, and make only system calls from the POSIX list.
struct TerminalRecord {
  private var input: Int32 = -1
  private var output: Int32 = -1
  private var original = termios()
  private var raw = termios()

  /// Reads and stores the terminal's mode; returns false, with `errno` set, when that fails.
  mutating func fill(input: Int32, output: Int32) -> Bool {
    self.input = input
    self.output = output
    guard tcgetattr(input, &original) == 0 else { return false }
    raw = original
    cfmakeraw(&raw)
    return true
  }

  /// Enables raw mode, the alternate screen and bracketed pastes, and hides the cursor.
  ///
  /// Returns false, with `errno` set, when the mode cannot be set.
  mutating func enter() -> Bool {
    guard setMode(&raw) else { return false }
    send("\u{1B}[?1049h\u{1B}[H\u{1B}[2J\u{1B}[?25l\u{1B}[?2004h")
    return true
  }

  /// Disables these features in reverse order, and restores the original mode.
  ///
  /// Changes nothing if the terminal now belongs to another process group.
  mutating func leave() {
    let owner = tcgetpgrp(input)
    guard owner < 0 || owner == getpgrp() else { return }
    var stop = sigset_t()
    var before = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTTOU)
    // If the group loses the terminal here, SIGTTOU would stop a process that is about to exit.
    pthread_sigmask(SIG_BLOCK, &stop, &before)
    send("\u{1B}[m\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l")
    _ = setMode(&original)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  private func setMode(_ mode: inout termios) -> Bool {
    while tcsetattr(input, TCSANOW, &mode) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }

  /// Writes a sequence, and gives up after about a second of waiting for the reader: a crash must not hang.
  private func send(_ sequence: StaticString) {
    var written = 0
    var attempts = 10
    while written < sequence.utf8CodeUnitCount, attempts > 0 {
      let step = write(output, sequence.utf8Start + written, sequence.utf8CodeUnitCount - written)
      if step > 0 {
        written += step
      } else if errno == EAGAIN {
        attempts -= 1
        var waiting = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        _ = poll(&waiting, 1, 100)
      } else if errno == EINTR {
        attempts -= 1
      } else {
        return
      }
    }
  }
}
