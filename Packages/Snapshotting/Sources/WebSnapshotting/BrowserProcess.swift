internal import Foundation

/// The process of a browser, in a process group of its own with a temporary folder.
///
/// A shell starts the browser, waits for its end, and removes the folder. The browser ends with its end of the socket, so nothing
/// remains when this process ends in any way. The group is separate, so that an interrupt from the keyboard does not reach it.
///
/// `@unchecked Sendable`: only the thread of the connection uses the process and the file after the start.
struct BrowserProcess: @unchecked Sendable {
  /// The socket to the browser.
  let socket: Int32
  let folder: URL
  private let shell: Process
  private let errors: FileHandle

  /// The process group of the browser.
  var group: pid_t { shell.processIdentifier }

  /// Starts a browser.
  ///
  /// - Throws: ``WebError``. Nothing is left of the browser then.
  init(_ configuration: Browser.Configuration, path: String?) throws(WebError) {
    let executable = try Self.find(configuration.executable, path: path ?? "/usr/local/bin:/usr/bin:/bin")
    let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appending(path: "web-snapshotting-\(UUID().uuidString)")
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #endif
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw .cannotStart(
        "Cannot create a socket to the browser: \(String(cString: strerror(errno))). Raise the limit of open files.")
    }
    let browserEnd = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try Data().write(to: folder.appending(path: "stderr.txt"))
      errors = try FileHandle(forUpdating: folder.appending(path: "stderr.txt"))
      shell = Process()
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      // The browser reads commands from descriptor 3, and writes to descriptor 4.
      shell.arguments =
        ["-c", #""$@" 3<&0 4<&0 </dev/null >/dev/null; cd /; rm -rf "$0""#, folder.path]
        + [URL(fileURLWithPath: executable).path] + Self.flags + ["--user-data-dir=\(folder.path)/profile"]
        + (configuration.isSandboxed ? [] : ["--no-sandbox"])
      // The folder is the working directory, because the path of a socket in TMPDIR has a maximum length.
      shell.currentDirectoryURL = folder
      var environment = [
        "PATH": path ?? "/usr/bin:/bin", "HOME": folder.path, "TMPDIR": ".", "XDG_CONFIG_HOME": folder.path,
        "LANG": "C.UTF-8", "LANGUAGE": "en_US", "TZ": "UTC",
      ]
      #if os(Linux)
        if configuration.fonts == .pinned {
          environment["FONTCONFIG_FILE"] = "\(folder.path)/fonts.conf"
          try Self.pinnedFonts().write(to: folder.appending(path: "fonts.conf"), atomically: false, encoding: .utf8)
        }
      #endif
      shell.environment = environment
      (shell.standardInput, shell.standardOutput, shell.standardError) = (browserEnd, FileHandle.nullDevice, errors)
      try shell.run()
    } catch {
      close(ends[0])
      try? FileManager.default.removeItem(at: folder)
      throw error as? WebError
        ?? .cannotStart(
          "Cannot start \(executable): \(error.localizedDescription) Check that TMPDIR is a writable folder.")
    }
    try? browserEnd.close()
    (socket, self.folder) = (ends[0], folder)
  }

  /// Kills the rest of the process group, waits for the shell, and removes the folder.
  ///
  /// Called once, when the socket has ended.
  ///
  /// - Returns: The last lines of the browser's standard error.
  func end() -> String {
    kill(-group, SIGKILL)
    shell.waitUntilExit()
    // A process that was killed just now may have written one more file.
    for _ in 0..<3 where FileManager.default.fileExists(atPath: folder.path) {
      try? FileManager.default.removeItem(at: folder)
    }
    try? errors.seek(toOffset: 0)
    let output = String(decoding: (try? errors.readToEnd()) ?? Data(), as: UTF8.self)
    try? errors.close()
    return output.split(separator: "\n").suffix(5).joined(separator: "\n")
  }

  // MARK: Finding

  /// The browsers, in the order of preference.
  private static let names = [
    "chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome-stable",
    "google-chrome", "microsoft-edge-stable", "microsoft-edge",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ]

  /// Returns the path of a browser.
  ///
  /// - Throws: ``WebError`` that explains how to install one.
  static func find(
    _ wanted: String?, path: String, isExecutable: @escaping (String) -> Bool = { access($0, X_OK) == 0 }
  ) throws(WebError) -> String {
    // On Debian, /usr/bin has a shell script for each browser. The program behind the script is preferred to it.
    func program(_ name: String) -> String? {
      let folders = path.split(separator: ":").flatMap { (folder: Substring) -> [Substring] in
        folder == "/usr/bin" ? ["/usr/lib/chromium", folder] : [folder]
      }
      let paths = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
      return paths.first(where: isExecutable)
    }
    if let found = (wanted.map { [$0] } ?? names).lazy.compactMap(program).first { return found }
    throw WebError(
      kind: .noBrowser,
      description:
        "Cannot find \(wanted.map { "the browser \($0)" } ?? "a browser for web pages"). Install Chromium or Chrome, "
        + "for example with `apt-get install chromium-headless-shell fonts-dejavu-core` on Debian, or Chrome from "
        + "https://www.google.com/chrome on Ubuntu, whose Chromium cannot be automated. Or set "
        + "\(Browser.Variables.browser) to the path of Chromium, Chrome or Edge. Searched for: "
        + "\((wanted.map { [$0] } ?? names).joined(separator: ", ")).")
  }

  private static let flags =
    """
    --headless --remote-debugging-pipe
    --no-first-run --no-default-browser-check --disable-background-networking --disable-component-update
    --disable-default-apps --disable-extensions --disable-sync --disable-breakpad --mute-audio
    --password-store=basic --use-mock-keychain --disable-search-engine-choice-screen
    --disable-hang-monitor --disable-popup-blocking --block-new-web-contents
    --force-color-profile=srgb --force-device-scale-factor=1 --font-render-hinting=none --disable-lcd-text
    --disable-font-subpixel-positioning --hide-scrollbars --lang=en-US --accept-lang=en-US --disable-gpu --disable-partial-raster
    --disable-skia-runtime-opts --blink-settings=imageAnimationPolicy=2
    --in-process-gpu --disable-software-rasterizer --disable-frame-rate-limit --disable-dev-shm-usage
    --disable-background-timer-throttling --disable-renderer-backgrounding --disable-backgrounding-occluded-windows
    --disable-ipc-flooding-protection --disable-smooth-scrolling --js-flags=--max-old-space-size=512
    --force-webrtc-ip-handling-policy=disable_non_proxied_udp --dns-prefetch-disable
    """.split(whereSeparator: \.isWhitespace).map(String.init) + [
      // The frames of a page share its process, so that its session controls all of them.
      "--disable-site-isolation-trials",
      "--disable-features=AcceptCHFrame,BackForwardCache,IsolateOrigins,LazyFrameLoading,MediaRouter,PaintHolding,"
        + "RenderDocument,Translate,site-per-process",
    ]

  // MARK: Fonts

  private static let fontFolders = [
    "/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu", "/usr/share/fonts/TTF",
    "/usr/share/fonts/dejavu-sans-fonts", "/usr/share/fonts/dejavu-serif-fonts",
    "/usr/share/fonts/dejavu-sans-mono-fonts",
  ]

  /// The font configuration for equal images on any system: the six faces that every package of DejaVu has, without hinting.
  private static func pinnedFonts() throws(WebError) -> String {
    guard fontFolders.contains(where: FileManager.default.fileExists) else {
      throw .cannotStart(
        "Cannot use the pinned fonts: the DejaVu fonts are not in any of \(fontFolders.joined(separator: ", ")). "
          + "Install them (on Debian: `apt-get install fonts-dejavu-core`), or configure the browser to use the fonts of "
          + "this system.")
    }
    let families = [
      "DejaVu Serif": "serif Times Georgia", "DejaVu Sans Mono": "monospace Courier Menlo Consolas ui-monospace",
      "DejaVu Sans": "sans-serif Arial Helvetica Verdana system-ui cursive fantasy",
    ]
    let aliases = families.flatMap { family, names in
      names.split(separator: " ").map { name in
        "<alias binding=\"strong\"><family>\(name)</family><prefer><family>\(family)</family></prefer></alias>"
      }
    }
    let faces = ["DejaVuSans", "DejaVuSansMono", "DejaVuSerif"].flatMap { [$0, "\($0)-Bold"] }
    return """
      <?xml version="1.0"?>
      <!DOCTYPE fontconfig SYSTEM "fonts.dtd">
      <fontconfig>
      \(fontFolders.map { "  <dir>\($0)</dir>" }.joined(separator: "\n"))
        <cachedir>/var/cache/fontconfig</cachedir>
        <cachedir prefix="xdg">fontconfig</cachedir>
        <selectfont>
          <acceptfont>\(faces.map { "<glob>*/\($0).ttf</glob>" }.joined())</acceptfont>
          <rejectfont><glob>*</glob></rejectfont>
        </selectfont>
      \(aliases.sorted().joined(separator: "\n"))
        <match target="font">
          <edit name="hinting" mode="assign"><bool>false</bool></edit>
          <edit name="hintstyle" mode="assign"><const>hintnone</const></edit>
          <edit name="rgba" mode="assign"><const>none</const></edit>
        </match>
      </fontconfig>

      """
  }
}
