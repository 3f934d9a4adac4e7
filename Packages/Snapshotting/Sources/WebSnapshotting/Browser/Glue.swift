#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The system calls of this module, under names that no method hides.
enum Glue {
  static func close(_ descriptor: Int32) {
    #if canImport(Darwin)
      _ = Darwin.close(descriptor)
    #elseif canImport(Glibc)
      _ = Glibc.close(descriptor)
    #else
      _ = Musl.close(descriptor)
    #endif
  }

  static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.read(descriptor, buffer.baseAddress, buffer.count)
    #elseif canImport(Glibc)
      Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    #else
      Musl.read(descriptor, buffer.baseAddress, buffer.count)
    #endif
  }

  /// Writes to a socket, without a signal when nobody reads any more.
  static func send(_ descriptor: Int32, _ bytes: [UInt8], from offset: Int) -> Int {
    bytes.withUnsafeBytes { buffer in
      let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
      #if canImport(Darwin)
        return Darwin.send(descriptor, rest.baseAddress, rest.count, 0)
      #elseif canImport(Glibc)
        return Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      #else
        return Musl.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      #endif
    }
  }

  #if canImport(Darwin)
    /// A flag of `posix_spawn` that closes all descriptors that no action names.
    static let closingByDefault = Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)

    static func closeDescriptors(from first: Int32, in actions: inout posix_spawn_file_actions_t?) {}
  #else
    static let closingByDefault: Int32 = 0

    private typealias CloseFrom =
      @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

    /// Closes a child's descriptors from a number on, where the C library can (glibc from 2.34 on).
    static func closeDescriptors(from first: Int32, in actions: inout posix_spawn_file_actions_t) {
      guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
      _ = unsafeBitCast(symbol, to: CloseFrom.self)(&actions, first)
    }
  #endif

  /// Two connected sockets, above the numbers that a child gets, and closed in every child; `nil` without descriptors.
  static func socketPair() -> (own: Int32, childs: Int32)? {
    var ends: [Int32] = [-1, -1]
    #if canImport(Glibc)
      // Closed in children from the beginning: another thread may start one now.
      let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    let moved = ends.map(moveUp)
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

  /// Both ends of a pipe, as with ``socketPair()``.
  static func pipe() -> (reading: Int32, writing: Int32)? {
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
      let code = Darwin.pipe(&ends)
    #elseif canImport(Glibc)
      let code = Glibc.pipe(&ends)
    #else
      let code = Musl.pipe(&ends)
    #endif
    guard code == 0 else { return nil }
    let moved = ends.map(moveUp)
    guard moved[0] >= 0, moved[1] >= 0 else {
      for end in moved where end >= 0 { close(end) }
      return nil
    }
    return (moved[0], moved[1])
  }

  /// The same file under a number of 64 or more that no child inherits; the old number is closed.
  private static func moveUp(_ descriptor: Int32) -> Int32 {
    let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 64)
    close(descriptor)
    return moved
  }
}
