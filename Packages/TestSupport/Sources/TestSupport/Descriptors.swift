#if os(Linux) || os(macOS)
  internal import Foundation

  /// Runs a closure while this process can open no file and no socket.
  ///
  /// Call it in an exit test, because the limit applies to the whole process:
  ///
  /// ```swift
  /// await #expect(processExitsWith: .success) {
  ///   let error = withoutFreeDescriptors {
  ///     #expect(throws: CocoaError.self) { try String(contentsOfFile: "/etc/hosts", encoding: .utf8) }
  ///   }
  ///   #expect(error != nil)
  /// }
  /// ```
  ///
  /// It sets the limit of open files to three, which are the standard streams. Opening descriptors up to a higher limit is not exact:
  /// another thread can close a file, and then one descriptor is free. Open descriptors still work, but `poll` accepts at most three.
  ///
  /// The closure is synchronous, because Dispatch on Linux ends a process without descriptors while a task waits for a thread. It must
  /// not use Dispatch's timers for the first time.
  ///
  /// - Parameter body: Called once.
  /// - Returns: The result of `body`.
  public func withoutFreeDescriptors<Value>(_ body: () throws -> Value) rethrows -> Value {
    #if canImport(Glibc)
      let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let descriptors = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    precondition(getrlimit(descriptors, &limit) == 0, "Cannot read the limit of open files.")
    var lowered = limit
    lowered.rlim_cur = 3
    precondition(setrlimit(descriptors, &lowered) == 0, "Cannot lower the limit of open files.")
    defer { setrlimit(descriptors, &limit) }
    return try body()
  }
#endif
