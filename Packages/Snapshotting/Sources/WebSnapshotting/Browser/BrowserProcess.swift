internal import Dispatch
internal import Foundation

/// A browser that runs, from its start until nothing of it is left.
///
/// Between this process and the browser stands a shell, which waits for the browser and then removes its folder, so that
/// nothing is left also when this process is killed: the browser ends when its pipe is closed. Both are in a process group
/// of their own, which an interrupt from the keyboard does not reach.
///
/// `@unchecked Sendable`: `lock` guards what was written to standard error, and whether the process may be signalled; all else is
/// constant.
final class BrowserProcess: @unchecked Sendable {
  /// The socket over which the browser is driven; whoever takes it closes it.
  let socket: Int32
  /// The shell, and the group of all that belongs to the browser.
  let process: pid_t
  private let folder: ProfileFolder
  private let errors: Int32
  private let lock = NSLock()
  private var written: [UInt8] = []
  private var isReaped = false
  private let ended = DispatchGroup()

  /// The most bytes of standard error that are kept.
  private static let writtenLimit = 16_384

  private static let guardian = """
    folder=$1; shift
    "$@"
    status=$?
    exec 3>&- 4>&-
    rm -rf "$folder" 2>/dev/null || { sleep 1; rm -rf "$folder"; }
    rm -f "$folder.lock"
    exit $status
    """

  /// Starts a browser.
  ///
  /// - Throws: ``WebError`` when that is not possible; nothing is left then.
  init(executable: String, options: Browser.Options, environment: [String: String]) throws(WebError) {
    let temporary = NSTemporaryDirectory()
    let parent = temporary.count > 1 && temporary.hasSuffix("/") ? String(temporary.dropLast()) : temporary
    ProfileFolder.sweep(parent)
    let folder = try ProfileFolder(in: parent)
    do {
      let fonts = try Self.prepareFonts(options, in: folder)
      let arguments =
        ["/bin/sh", "-c", Self.guardian, "browser", folder.path, executable]
        + BrowserFlags.arguments(options, profile: "\(folder.path)/profile")
      let variables = BrowserFlags.environment(path: environment["PATH"], home: folder.path, fontsFile: fonts)
      (process, socket, errors) = try Self.spawn(arguments, variables, keeping: options.keptDescriptor)
    } catch {
      folder.remove()
      throw error
    }
    self.folder = folder
    watch()
  }

  /// What the browser wrote to standard error so far, at most the last few thousand bytes.
  var standardError: String { lock.withLock { String(decoding: written, as: UTF8.self) } }

  /// Ends the browser at once, with all that belongs to it.
  func kill() {
    // Once it has been waited for, its number may be another's.
    lock.withLock { if !isReaped { _ = Foundation.kill(-process, SIGKILL) } }
  }

  /// Ends one process of the browser's, if that is what the number stands for.
  func kill(descendant: pid_t) {
    if getpgid(descendant) == process { _ = Foundation.kill(descendant, SIGKILL) }
  }

  /// Calls back when the browser has ended and nothing of it is left.
  func whenEnded(_ body: @escaping @Sendable () -> Void) {
    ended.notify(queue: .global(), execute: body)
  }

  /// Reads what the browser writes, until all of it has ended, then cleans up.
  private func watch() {
    ended.enter()
    let thread = Thread { [self] in
      var chunk = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = chunk.withUnsafeMutableBytes { Glue.read(errors, $0) }
        if count > 0 {
          lock.withLock { written = (written + chunk[..<count]).suffix(Self.writtenLimit) }
        } else if count == 0 || errno != EINTR {
          break
        }
      }
      Glue.close(errors)
      lock.withLock { isReaped = true }
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      folder.remove()
      ended.leave()
    }
    thread.name = "WebSnapshotting.BrowserProcess"
    thread.start()
  }

  private static func prepareFonts(_ options: Browser.Options, in folder: ProfileFolder) throws(WebError) -> String? {
    #if os(Linux)
      guard options.fonts == .pinned else { return nil }
      let folders = PinnedFonts.folders.filter { FileManager.default.fileExists(atPath: "\($0)") }
      guard !folders.isEmpty else {
        throw WebError(
          kind: .cannotStart,
          description: "The DejaVu fonts, with which pictures are the same everywhere, are not in any of "
            + "\(PinnedFonts.folders.joined(separator: ", ")). Install them (on Debian: `apt-get install fonts-dejavu-core`), "
            + "or choose the fonts of this system with `Browser.Options(fonts: .system)`.")
      }
      try folder.write(PinnedFonts.configuration(folders: folders), to: "fonts.conf")
      return "\(folder.path)/fonts.conf"
    #else
      return nil
    #endif
  }

  private static func spawn(
    _ arguments: [String], _ variables: [String], keeping kept: Int32?
  ) throws(WebError) -> (pid_t, socket: Int32, errors: Int32) {
    guard let sockets = Glue.socketPair() else { throw outOfDescriptors() }
    guard let errors = Glue.pipe() else {
      Glue.close(sockets.own)
      Glue.close(sockets.childs)
      throw outOfDescriptors()
    }
    defer {
      Glue.close(sockets.childs)
      Glue.close(errors.writing)
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
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)
    posix_spawn_file_actions_adddup2(&actions, sockets.childs, 3)
    posix_spawn_file_actions_adddup2(&actions, sockets.childs, 4)
    if let kept { posix_spawn_file_actions_adddup2(&actions, kept, 5) }
    // A file or a socket of this process must not stay open because a browser runs.
    Glue.closeDescriptors(from: kept == nil ? 5 : 6, in: &actions)
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
      Glue.close(sockets.own)
      Glue.close(errors.reading)
      throw WebError(
        kind: .cannotStart, description: "Cannot start \(arguments[0]): \(String(cString: strerror(code))).")
    }
    return (process, sockets.own, errors.reading)
  }

  private static func outOfDescriptors() -> WebError {
    WebError(
      kind: .cannotStart,
      description:
        "Cannot make a pipe to the browser: \(String(cString: strerror(errno))). Raise the limit with `ulimit -n`.")
  }
}

extension BrowserProcess {
  /// Whether the system still knows the process.
  var isThere: Bool { Foundation.kill(process, 0) == 0 }
}
