internal import Foundation

extension Browser {
  /// The browser's program and its limits.
  public struct Configuration: Sendable, Hashable {
    /// Whether pages run in the browser's sandbox.
    public enum Sandbox: Sendable, Hashable {
      /// Pages run in the sandbox. If the system has none, or for root, the browser does not start.
      case on
      /// Pages run without a sandbox. A page that exploits the browser has the rights of this process.
      case off
    }

    /// The fonts of pages.
    public enum Fonts: Sendable, Hashable {
      /// DejaVu without hinting, for equal images on any Linux system.
      ///
      /// Web fonts of a page are used too. On Apple's platforms this is the same as ``system``.
      case pinned
      /// The fonts and the font configuration of this system.
      case system
    }

    /// The path or the name of the browser; `nil` to search for one.
    public var executable: String?
    /// Whether pages run in the browser's sandbox.
    public var sandbox: Sandbox
    /// The fonts of pages.
    public var fonts: Fonts
    /// The maximum number of concurrent captures.
    ///
    /// Further captures wait.
    public var tabs: Int
    /// The time limit of the browser's start.
    public var startTimeout: Duration

    /// The maximum memory of a page's process in bytes, without its image.
    var pageMemory = 1 << 30
    /// A descriptor that the browser and its shell inherit, for tests that wait for their end.
    package var keptDescriptor: Int32?

    /// Creates a configuration.
    ///
    /// Environment variables give the defaults.
    ///
    /// `WEB_SNAPSHOTTING_BROWSER` is the path or the name of the browser, and `WEB_SNAPSHOTTING_SANDBOX` may be `off`.
    ///
    /// - Parameters:
    ///   - executable: The path or the name of the browser. If `nil`, the variable counts, and then a search.
    ///   - sandbox: Whether pages run in the browser's sandbox. If `nil`, they do, unless the variable is `off`.
    ///   - fonts: The fonts of pages.
    ///   - tabs: The maximum number of concurrent captures, at least 1.
    ///   - startTimeout: The time limit of the browser's start.
    ///   - environment: The environment variables; `nil` for those of this process.
    public init(
      executable: String? = nil, sandbox: Sandbox? = nil, fonts: Fonts = .pinned, tabs: Int = 4,
      startTimeout: Duration = .seconds(60), environment: [String: String]? = nil
    ) {
      let environment = environment ?? ProcessInfo.processInfo.environment
      self.executable = executable ?? environment[Variables.browser].flatMap { $0.isEmpty ? nil : $0 }
      self.sandbox = sandbox ?? (environment[Variables.sandbox] == "off" ? .off : .on)
      self.fonts = fonts
      self.tabs = tabs
      self.startTimeout = startTimeout
    }
  }

  enum Variables {
    static let browser = "WEB_SNAPSHOTTING_BROWSER"
    static let sandbox = "WEB_SNAPSHOTTING_SANDBOX"
  }
}
