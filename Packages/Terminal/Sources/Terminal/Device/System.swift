// The only file that calls functions by the module name of the C library.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// System calls under their own names, for types that have methods of the same names.
enum System {
  static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    #if canImport(Darwin)
      Darwin.write(descriptor, bytes, count)
    #elseif canImport(Glibc)
      Glibc.write(descriptor, bytes, count)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes, count)
    #endif
  }

  static func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    #if canImport(Darwin)
      Darwin.read(descriptor, bytes, count)
    #elseif canImport(Glibc)
      Glibc.read(descriptor, bytes, count)
    #elseif canImport(Musl)
      Musl.read(descriptor, bytes, count)
    #endif
  }

  /// Waits until one of the descriptors is ready; a negative timeout waits without a limit.
  static func poll(_ descriptors: inout [pollfd], milliseconds: Int32) -> Int32 {
    descriptors.withUnsafeMutableBufferPointer { buffer in
      #if canImport(Darwin)
        Darwin.poll(buffer.baseAddress, nfds_t(buffer.count), milliseconds)
      #elseif canImport(Glibc)
        Glibc.poll(buffer.baseAddress, nfds_t(buffer.count), milliseconds)
      #elseif canImport(Musl)
        Musl.poll(buffer.baseAddress, nfds_t(buffer.count), milliseconds)
      #endif
    }
  }

  /// Returns the system's message for an error number.
  static func message(_ code: Int32) -> String { String(cString: strerror(code)) }

  typealias SignalHandler = @convention(c) (Int32) -> Void

  /// Returns a signal action that calls a function on the alternate stack.
  static func action(_ handler: SignalHandler?) -> sigaction {
    var action = sigaction()
    sigemptyset(&action.sa_mask)
    action.sa_flags = Int32(SA_RESTART) | Int32(SA_ONSTACK)
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    return action
  }

  /// Returns whether an action ignores the signal.
  static func ignores(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    // SIG_IGN is the address 1 on every supported system.
    return unsafeBitCast(handler, to: Int.self) == 1
  }
}
