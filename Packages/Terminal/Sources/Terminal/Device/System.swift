#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The differences between the C libraries.
enum System {
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
