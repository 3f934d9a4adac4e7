#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes to a descriptor until all bytes are written.
enum DescriptorOutput {
  /// Writes all the bytes.
  ///
  /// Retries after interruptions and partial writes, waits while a non-blocking descriptor is full, and throws an error
  /// for a closed pipe instead of raising SIGPIPE.
  static func writeAll(_ bytes: some Collection<UInt8>, to descriptor: Int32) throws(TerminalError) {
    let bytes = Array(bytes)
    var written = 0
    while written < bytes.count {
      let (count, code) = withoutBrokenPipeSignal {
        bytes.withUnsafeBytes { buffer in
          buffer.baseAddress.map { write(descriptor, $0 + written, bytes.count - written) } ?? 0
        }
      }
      if count >= 0 {
        written += count
        continue
      }
      switch code {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK:
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&waiting, 1, -1)
      case EPIPE: throw .closed(descriptor: descriptor)
      default: throw .writing(descriptor: descriptor, code: code)
      }
    }
  }

  /// Calls `body` with SIGPIPE blocked in this thread, and consumes a SIGPIPE that it causes.
  ///
  /// The process's own handling of SIGPIPE does not change.
  private static func withoutBrokenPipeSignal(_ body: () -> Int) -> (count: Int, code: Int32) {
    var pipe = sigset_t()
    var before = sigset_t()
    var pending = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    pthread_sigmask(SIG_BLOCK, &pipe, &before)
    let count = body()
    let code = errno
    if count < 0, code == EPIPE, !wasPending {
      sigpending(&pending)
      var taken: Int32 = 0
      if sigismember(&pending, SIGPIPE) == 1 { sigwait(&pipe, &taken) }
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    return (count, code)
  }
}
