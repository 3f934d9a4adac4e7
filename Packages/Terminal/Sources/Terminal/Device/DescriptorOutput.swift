#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writing to a descriptor until everything is written.
enum DescriptorOutput {
  /// Writes all the bytes: goes on after interruptions and partial writes, waits when a non-blocking descriptor is
  /// full, and reports a closed pipe as an error instead of dying of SIGPIPE.
  static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) throws(TerminalError) {
    let bytes = Array(bytes)
    var written = 0
    while written < bytes.count {
      let (count, code) = withoutBrokenPipeSignal {
        bytes.withUnsafeBytes { buffer in
          buffer.baseAddress.map { System.write(descriptor, $0 + written, bytes.count - written) } ?? 0
        }
      }
      if count >= 0 {
        written += count
        continue
      }
      switch code {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK:
        var waiting = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
        _ = System.poll(&waiting, milliseconds: -1)
      case EPIPE: throw .closed(descriptor: descriptor)
      default: throw .writing(descriptor: descriptor, code: code)
      }
    }
  }

  /// Runs a write with SIGPIPE held back from this thread, and takes the signal away again if the write caused one.
  ///
  /// The process's own handling of SIGPIPE stays as it is, which a library has no right to change.
  private static func withoutBrokenPipeSignal(_ write: () -> Int) -> (count: Int, code: Int32) {
    var pipe = sigset_t()
    var before = sigset_t()
    var pending = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    pthread_sigmask(SIG_BLOCK, &pipe, &before)
    let count = write()
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
