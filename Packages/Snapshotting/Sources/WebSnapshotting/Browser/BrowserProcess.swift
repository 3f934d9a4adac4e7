internal import Dispatch
internal import Foundation

/// The process of a browser, from its start until its processes and files are gone.
///
/// A shell starts the browser, waits for it, and removes its folder. The shell also ends a browser that hangs when this process
/// ends. Both are in a process group of their own, so that an interrupt from the keyboard does not reach them.
///
/// `@unchecked Sendable`: `lock` guards the flags; everything else is constant.
final class BrowserProcess: @unchecked Sendable {
  /// The socket to the browser.
  ///
  /// Its user closes it.
  let socket: Int32
  /// The shell, and the process group of the browser.
  let process: pid_t
  private let folder: ProfileFolder
  /// The file that receives the browser's standard error.
  private let errors: Int32
  /// A socket without data.
  ///
  /// Its other end, in the shell, reports the end of this process.
  private let lifeline: Int32
  private let lock = NSLock()
  private var isReaped = false
  private var isReleased = false
  private let ended = DispatchGroup()

  /// The script of the shell, which prints nothing because a closed standard error would end it before the clean-up.
  ///
  /// Descriptors 3 and 4 are the pipe to the browser, and 5 is the lifeline. The browser inherits only the pipe, and
  /// the watcher only the lifeline as its standard input. The shell inherits none of them. So each is closed when its
  /// user ends.
  ///
  /// At the end it kills its process group: the watcher and remaining processes of the browser, which could still write
  /// to the folder. The lock file of a folder that cannot be removed is kept for the sweep of the next start.
  private static let guardian = """
    folder=$1; shift
    cd "$folder"
    "$@" 5<&- &
    browser=$!
    { read -r nothing; kill -KILL $browser; } <&5 2>/dev/null 3>&- 4>&- 5<&- &
    watcher=$!
    exec 2>/dev/null 3>&- 4>&- 5<&-
    wait $browser
    trap '' TERM
    kill -TERM 0
    rm -rf "$folder" || { sleep 1; rm -rf "$folder"; } && rm -f "$folder.lock"
    kill -KILL 0
    """

  /// Starts a browser.
  ///
  /// - Throws: ``WebError``. Nothing is left of the browser then.
  init(executable: String, options: Browser.Configuration, environment: [String: String]) throws(WebError) {
    let temporary = NSTemporaryDirectory()
    let parent = temporary.count > 1 && temporary.hasSuffix("/") ? String(temporary.dropLast()) : temporary
    ProfileFolder.sweep(parent)
    let folder = try ProfileFolder(in: parent)
    do {
      let fonts = try Self.prepareFonts(options, in: folder)
      let arguments =
        ["/bin/sh", "-c", Self.guardian, "browser", folder.path, URL(fileURLWithPath: executable).path]
        + BrowserFlags.arguments(options, profile: "\(folder.path)/profile")
      let variables = BrowserFlags.environment(path: environment["PATH"], home: folder.path, fontsFile: fonts)
      (process, socket, errors, lifeline) = try Self.spawn(
        arguments, variables, errors: "\(folder.path)/stderr.txt", keeping: options.keptDescriptor)
    } catch {
      folder.remove()
      throw error
    }
    self.folder = folder
    watch()
  }

  deinit {
    close(errors)
  }

  /// The last 16 KB of the browser's standard error.
  var standardError: String {
    let limit = 16_384
    let start = max(0, Int(lseek(errors, 0, Int32(SEEK_END))) - limit)
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = pread(errors, &bytes, limit, off_t(start))
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  var hasEnded: Bool { lock.withLock { isReaped } }

  func kill() {
    lock.withLock { if !isReleased { killGroup() } }
  }

  /// Lets the shell end the browser and clean up, as it does when this process ends.
  func release() {
    lock.withLock {
      if !isReaped { shutdown(lifeline, Int32(SHUT_RDWR)) }
      isReleased = true
    }
  }

  private func killGroup() {
    // The number of a reaped process may belong to another one.
    if !isReaped { _ = Foundation.kill(-process, SIGKILL) }
  }

  /// Kills one process if it belongs to the browser's process group.
  func kill(descendant: pid_t) {
    if getpgid(descendant) == process { _ = Foundation.kill(descendant, SIGKILL) }
  }

  func whenEnded(_ body: @escaping @Sendable () -> Void) {
    ended.notify(queue: .global(), execute: body)
  }

  func waitUntilEnded() async {
    await withCheckedContinuation { continuation in whenEnded { continuation.resume() } }
  }

  /// Waits for the end of the shell on a thread, then kills the rest of the group and removes the folder.
  private func watch() {
    ended.enter()
    let thread = Thread { [self] in
      var information = siginfo_t()
      // The zombie keeps the number of the group in use until the group is killed.
      while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      lock.withLock {
        killGroup()
        isReaped = true
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
      }
      waitForGroup()
      Foundation.close(lifeline)
      folder.remove()
      ended.leave()
    }
    thread.name = "WebSnapshotting.BrowserProcess"
    thread.start()
  }

  /// Waits until the killed processes of the group have ended, which takes time on a busy machine.
  private func waitForGroup() {
    let deadline = ContinuousClock.now + .seconds(5)
    while hasLivingMember, ContinuousClock.now < deadline { _ = poll(nil, 0, 2) }
  }

  /// Whether a process of the group runs; false if the system does not report it.
  ///
  /// Zombies do not run. On a busy machine, the process that waits for orphans is late.
  var hasLivingMember: Bool {
    guard Foundation.kill(-process, 0) == 0 else { return false }
    let processes = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
    return processes.contains { member in
      guard getpgid(member) == process else { return false }
      let status = try? String(contentsOfFile: "/proc/\(member)/stat", encoding: .utf8)
      return status?.split(separator: ")").last?.hasPrefix(" Z") == false
    }
  }

  private static func prepareFonts(_ options: Browser.Configuration, in folder: ProfileFolder) throws(WebError)
    -> String?
  {
    #if os(Linux)
      guard options.fonts == .pinned else { return nil }
      let folders = PinnedFonts.folders.filter { FileManager.default.fileExists(atPath: "\($0)") }
      guard !folders.isEmpty else {
        throw WebError(
          kind: .cannotStart,
          description: "Cannot use the pinned fonts: the DejaVu fonts are not in any of "
            + "\(PinnedFonts.folders.joined(separator: ", ")). Install them (on Debian: `apt-get install fonts-dejavu-core`), "
            + "or configure the browser to use the fonts of this system.")
      }
      try folder.write(PinnedFonts.configuration(folders: folders), to: "fonts.conf")
      return "\(folder.path)/fonts.conf"
    #else
      return nil
    #endif
  }

  private static func spawn(
    _ arguments: [String], _ variables: [String], errors path: String, keeping kept: Int32?
  ) throws(WebError) -> (pid_t, socket: Int32, errors: Int32, lifeline: Int32) {
    let errors = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    let (sockets, lifeline) = (SystemCalls.socketPair(), SystemCalls.socketPair())
    var isStarted = false
    defer {
      for descriptor in [sockets?.child, lifeline?.child] { descriptor.map { _ = close($0) } }
      if !isStarted { for descriptor in [sockets?.own, lifeline?.own, errors] { descriptor.map { _ = close($0) } } }
    }
    guard let sockets, let lifeline, errors >= 0 else { throw outOfDescriptors() }
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
    for number: Int32 in [0, 1] { posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0) }
    let inherited =
      [(errors, 2), (sockets.child, 3), (sockets.child, 4), (lifeline.child, 5)] + (kept.map { [($0, 6)] } ?? [])
    for (descriptor, number) in inherited { posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number)) }
    // The browser must not keep this process's files and sockets open.
    SystemCalls.closeDescriptors(from: kept == nil ? 6 : 7, in: &actions)
    // The browser must not inherit ignored or blocked signals.
    var defaults = sigset_t()
    var blocked = sigset_t()
    sigemptyset(&defaults)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD] { sigaddset(&defaults, signal) }
    sigemptyset(&blocked)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags =
      Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
      | SystemCalls.closingByDefault
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var settings: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
    defer { for word in words + settings { free(word) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, arguments[0], &actions, &attributes, &words, &settings)
    guard code == 0 else {
      throw WebError(
        kind: .cannotStart,
        description:
          "Cannot start \(arguments[0]): \(String(cString: strerror(code))). Check that it exists, and that the "
          + "system allows more processes.")
    }
    isStarted = true
    return (process, sockets.own, errors, lifeline.own)
  }

  private static func outOfDescriptors() -> WebError {
    // `fcntl` reports EINVAL if the number would be above the limit.
    let code = errno == EINVAL ? EMFILE : errno
    return WebError(
      kind: .cannotStart,
      description:
        "Cannot create a pipe to the browser: \(String(cString: strerror(code))). "
        + "Raise the limit of open files, for example with 'ulimit -n 256'.")
  }
}
