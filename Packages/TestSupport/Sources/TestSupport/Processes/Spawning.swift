#if os(Linux) || os(macOS)
  internal import Foundation

  /// Starts a program and returns the descriptors of its outputs.
  func spawn(
    _ path: String, _ arguments: [String], _ environment: [String: String]
  ) throws(ChildProcessError) -> (process: pid_t, output: Int32, errors: Int32) {
    guard let output = Line() else { throw outOfDescriptors(path) }
    guard let errors = Line() else {
      close(output.reading)
      close(output.writing)
      throw outOfDescriptors(path)
    }
    defer {
      close(output.writing)
      close(errors.writing)
    }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
    posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)
    // The threads of tests block most signals, and a child would inherit that.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // Reset the signals that this process ignores, for example because of `nohup`.
    var ends = sigset_t()
    sigemptyset(&ends)
    for signal in [SIGINT, SIGHUP, SIGTERM, SIGQUIT] { sigaddset(&ends, signal) }
    posix_spawnattr_setsigdefault(&attributes, &ends)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    // If a child kept a socket open, the other end would not see that this process closes it.
    #if canImport(Darwin)
      posix_spawnattr_setflags(&attributes, Int16(flags | POSIX_SPAWN_CLOEXEC_DEFAULT))
    #else
      posix_spawnattr_setflags(&attributes, Int16(flags))
      closeDescriptors(from: 3, in: &actions)
    #endif
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, path, &actions, &attributes, &words, &variables)
    guard code == 0 else {
      close(output.reading)
      close(errors.reading)
      throw ChildProcessError(
        description: "Cannot start \(path): \(String(cString: strerror(code))). Check the path and its permissions.")
    }
    return (process, output.reading, errors.reading)
  }

  #if !canImport(Darwin)
    /// Closes all descriptors of a child from a number on, if the C library can.
    ///
    /// Needs glibc 2.34, which hides the function from Swift behind a macro.
    private func closeDescriptors(from first: Int32, in actions: inout posix_spawn_file_actions_t) {
      typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
      guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
      _ = unsafeBitCast(symbol, to: CloseFrom.self)(&actions, first)
    }
  #endif

  private func outOfDescriptors(_ path: String) -> ChildProcessError {
    ChildProcessError(
      description: "Cannot start \(path): \(String(cString: strerror(errno))). Raise the limit with 'ulimit -n'.")
  }

  /// A connection from a child's output to this process, which other children do not inherit.
  ///
  /// It uses sockets because these can be created with close-on-exec. A pipe gets that flag only afterwards.
  private struct Line {
    let reading: Int32
    let writing: Int32

    init?() {
      var ends: [Int32] = [-1, -1]
      #if canImport(Glibc)
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      #else
        let type = SOCK_STREAM
      #endif
      guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
      #if !canImport(Glibc)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      #endif
      (reading, writing) = (ends[0], ends[1])
    }
  }

  /// Reads lines and then the rest from a descriptor that it owns.
  actor ReadingEnd {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var hasEnded = false

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    func line() async -> String? {
      while true {
        if let index = buffer.firstIndex(of: UInt8(ascii: "\n")) {
          defer { buffer.removeFirst(index + 1) }
          return String(decoding: buffer[..<index], as: UTF8.self)
        }
        if hasEnded { return nil }
        await readSome()
      }
    }

    func rest() async -> String {
      while !hasEnded { await readSome() }
      defer { buffer = [] }
      return String(decoding: buffer, as: UTF8.self)
    }

    private func readSome() async {
      let bytes = await onThread { [descriptor] () -> [UInt8] in
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
          let count = read(descriptor, &chunk, chunk.count)
          if count >= 0 || errno != EINTR { return Array(chunk.prefix(max(count, 0))) }
        }
      }
      buffer += bytes
      if bytes.isEmpty { hasEnded = true }
    }
  }
#endif
