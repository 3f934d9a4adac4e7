internal import Foundation

/// Any thread can use it, because its descriptors are constants.
final class WakeUpPipe: Sendable {
  /// The descriptor to wait for, or -1 if no descriptor was free.
  let reader: Int32
  private let writer: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    for end in ends where end >= 0 {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    for end in [reader, writer] where end >= 0 { close(end) }
  }

  func wakeUp() {
    var byte: UInt8 = 0
    _ = write(writer, &byte, 1)
  }

  func drain() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(reader, &bytes, bytes.count) == bytes.count {}
  }
}
