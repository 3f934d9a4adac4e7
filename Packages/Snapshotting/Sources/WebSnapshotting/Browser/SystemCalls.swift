internal import Foundation

/// The system calls of this module that differ between Linux and Apple's platforms.
enum SystemCalls {
  /// Writes to a socket, without a signal if the other end is closed.
  static func send(_ descriptor: Int32, _ bytes: [UInt8], from offset: Int) -> Int {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    return bytes.withUnsafeBytes { buffer in
      let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
      return Foundation.send(descriptor, rest.baseAddress, rest.count, flags)
    }
  }

  #if canImport(Darwin)
    /// The flag of `posix_spawn` that closes all descriptors that no action names.
    static let closingByDefault = Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)

    static func closeDescriptors(from first: Int32, in actions: inout posix_spawn_file_actions_t?) {}
  #else
    static let closingByDefault: Int32 = 0

    private typealias CloseFrom =
      @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

    /// Closes a child's descriptors from a number on, if the C library can do that (glibc from 2.34 on).
    static func closeDescriptors(from first: Int32, in actions: inout posix_spawn_file_actions_t) {
      guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
      _ = unsafeBitCast(symbol, to: CloseFrom.self)(&actions, first)
    }
  #endif

  /// Creates two connected sockets with numbers above those of a child, which no child inherits by chance.
  static func socketPair() -> (own: Int32, child: Int32)? {
    var ends: [Int32] = [-1, -1]
    #if canImport(Glibc)
      // Another thread may start a child now.
      let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    let moved = ends.map { end in
      defer { close(end) }
      return fcntl(end, F_DUPFD_CLOEXEC, 64)
    }
    guard moved[0] >= 0, moved[1] >= 0 else {
      for end in moved where end >= 0 { close(end) }
      return nil
    }
    #if canImport(Darwin)
      var on: Int32 = 1
      setsockopt(moved[0], SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
    return (moved[0], moved[1])
  }
}
