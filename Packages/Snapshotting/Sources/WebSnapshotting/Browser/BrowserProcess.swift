internal import Dispatch
internal import Foundation

/// A browser that runs, from its start until nothing of it is left.
///
/// Between this process and the browser stands a shell, which waits for the browser and then removes its folder. It ends the browser when
/// this process ends, in whichever way: the browser does so by itself when its pipe is closed, unless it hangs. Both are in a
/// process group of their own, which an interrupt from the keyboard does not reach.
///
/// `@unchecked Sendable`: `lock` guards whether the process may be signalled; all else is constant.
final class BrowserProcess: @unchecked Sendable {
  /// The socket over which the browser is driven; whoever takes it closes it.
  let socket: Int32
  /// The shell, and the group of all that belongs to the browser.
  let process: pid_t
  private let folder: ProfileFolder
  private let output: StandardErrorOutput
  /// A socket that nobody writes to: its other end, in the shell, comes to its end with this process.
  private let lifeline: Int32
  private let lock = NSLock()
  private var isReaped = false
  private var isLetGo = false
  private let ended = DispatchGroup()

  /// The shell says nothing itself: when nobody reads it any more, that would end it before it has cleaned up.
  ///
  /// It ends all others of its group, the watcher and what the browser has left behind, which could still write to the folder, and in the
  /// end itself with those that do not heed that; the lock stays with a folder that cannot be removed, for the sweep of the next start.
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
  /// - Throws: ``WebError`` when that is not possible; nothing is left then.
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
      let errors: Int32
      (process, socket, errors, lifeline) = try Self.spawn(arguments, variables, keeping: options.keptDescriptor)
      output = StandardErrorOutput(errors)
    } catch {
      folder.remove()
      throw error
    }
    self.folder = folder
    watch()
  }

  /// What the browser wrote to standard error so far, at most the last few thousand bytes.
  var standardError: String { output.text }

  /// Ends the browser at once, with all that belongs to it.
  func kill() {
    lock.withLock { if !isLetGo { killGroup() } }
  }

  /// Lets the shell end the browser and clean up, as it does when this process has ended, which may be in a moment.
  func letGo() {
    lock.withLock {
      if !isReaped { shutdown(lifeline, Int32(SHUT_RDWR)) }
      isLetGo = true
    }
  }

  private func killGroup() {
    // Once it has been waited for, its number may be another's.
    if !isReaped { _ = Foundation.kill(-process, SIGKILL) }
  }

  /// Ends one process of the browser's, if that is what the number stands for.
  func kill(descendant: pid_t) {
    if getpgid(descendant) == process { _ = Foundation.kill(descendant, SIGKILL) }
  }

  /// Calls back when the browser has ended and nothing of it is left.
  func whenEnded(_ body: @escaping @Sendable () -> Void) {
    ended.notify(queue: .global(), execute: body)
  }

  /// Waits for the end of the shell, then ends what else is in its group and cleans up.
  ///
  /// What left the group is on its own, and is not waited for. The others are killed, which takes its time on a machine that has
  /// much else to do, and for ever where nobody waits for orphans.
  private func watch() {
    ended.enter()
    let thread = Thread { [self] in
      var information = siginfo_t()
      // It goes on as a name for its group until it has been waited for in earnest, which is when all of that has been killed.
      while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      lock.withLock {
        killGroup()
        isReaped = true
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
      }
      output.finish(within: .seconds(5)) { [process] in Foundation.kill(-process, 0) != 0 && errno == ESRCH }
      Glue.close(lifeline)
      folder.remove()
      ended.leave()
    }
    thread.name = "WebSnapshotting.BrowserProcess"
    thread.start()
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
    _ arguments: [String], _ variables: [String], keeping kept: Int32?
  ) throws(WebError) -> (pid_t, socket: Int32, errors: Int32, lifeline: Int32) {
    let (sockets, lifeline, errors) = (Glue.socketPair(), Glue.socketPair(), Glue.pipe())
    var isStarted = false
    defer {
      for descriptor in [sockets?.childs, lifeline?.childs, errors?.writing] { descriptor.map(Glue.close) }
      if !isStarted { for descriptor in [sockets?.own, lifeline?.own, errors?.reading] { descriptor.map(Glue.close) } }
    }
    guard let sockets, let lifeline, let errors else { throw outOfDescriptors() }
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
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)
    posix_spawn_file_actions_adddup2(&actions, sockets.childs, 3)
    posix_spawn_file_actions_adddup2(&actions, sockets.childs, 4)
    posix_spawn_file_actions_adddup2(&actions, lifeline.childs, 5)
    if let kept { posix_spawn_file_actions_adddup2(&actions, kept, 6) }
    // A file or a socket of this process must not stay open because a browser runs.
    Glue.closeDescriptors(from: kept == nil ? 6 : 7, in: &actions)
    // What the host ignores or blocks must not be ignored or blocked by the browser.
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
      | Glue.closingByDefault
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var settings: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
    defer { for word in words + settings { free(word) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, arguments[0], &actions, &attributes, &words, &settings)
    guard code == 0 else {
      throw WebError(
        kind: .cannotStart, description: "Cannot start \(arguments[0]): \(String(cString: strerror(code))).")
    }
    isStarted = true
    return (process, sockets.own, errors.reading, lifeline.own)
  }

  private static func outOfDescriptors() -> WebError {
    // The descriptors are moved to numbers above those of this process. `fcntl` reports EINVAL above the limit.
    let code = errno == EINVAL ? EMFILE : errno
    return WebError(
      kind: .cannotStart,
      description:
        "Cannot create a pipe to the browser: \(String(cString: strerror(code))). "
        + "Raise the limit of open files, for example with 'ulimit -n 256'.")
  }
}

extension BrowserProcess {
  /// Whether the system still knows the process.
  var isThere: Bool { Foundation.kill(process, 0) == 0 }
}
