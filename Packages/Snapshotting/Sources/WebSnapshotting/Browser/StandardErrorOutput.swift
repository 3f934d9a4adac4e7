internal import Dispatch
internal import Foundation

/// What a browser writes to standard error, read as it comes.
///
/// `@unchecked Sendable`: all that changes does so on `queue`.
final class StandardErrorOutput: @unchecked Sendable {
  /// The most bytes that are kept: the last ones.
  private static let limit = 16_384

  private let descriptor: Int32
  private let queue = DispatchQueue(label: "WebSnapshotting.StandardErrorOutput")
  private let source: any DispatchSourceRead
  private var bytes: [UInt8] = []
  private var isAtEnd = false

  /// Takes over the reading end of a pipe.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setCancelHandler { Glue.close(descriptor) }
    source.setEventHandler { [weak self] in self?.read() }
    source.activate()
  }

  deinit {
    source.cancel()
  }

  /// What was written so far, at most the last few thousand bytes.
  var text: String { queue.sync { String(decoding: bytes, as: UTF8.self) } }

  /// Reads what is written by those who were told to end, until they have ended, and nothing more.
  ///
  /// - Parameters:
  ///   - limit: How long they have for it.
  ///   - rest: How long they have when none of them can write any more: some may stay for ever, as what nobody waits for.
  ///   - haveEnded: Whether they have. Another one may hold the pipe for ever.
  func finish(within limit: Duration, rest: Duration = .milliseconds(200), orWhen haveEnded: () -> Bool) {
    queue.sync {
      var deadline = ContinuousClock.now + limit
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      read()
      if isAtEnd { deadline = .now + rest }
      while !haveEnded(), ContinuousClock.now < deadline {
        // The end of the last one is told by the pipe only if nobody else holds it.
        _ = isAtEnd ? poll(nil, 0, 1) : poll(&entry, 1, 10)
        let couldWrite = !isAtEnd
        read()
        if couldWrite, isAtEnd { deadline = .now + rest }
      }
      read()
      source.cancel()
      isAtEnd = true
    }
  }

  /// Reads what is there, and no more than a pipe holds: whoever goes on writing is read the next time.
  private func read() {
    var chunk = [UInt8](repeating: 0, count: 4_096)
    for _ in 0..<16 where !isAtEnd {
      let count = chunk.withUnsafeMutableBytes { Glue.read(descriptor, $0) }
      if count > 0 {
        bytes = (bytes + chunk[..<count]).suffix(Self.limit)
      } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
        isAtEnd = true
        source.cancel()
      } else if errno == EAGAIN {
        return
      }
    }
  }
}
