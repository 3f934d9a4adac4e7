internal import Foundation

extension Browser {
  public struct Configuration: Sendable, Hashable {
    public enum Sandbox: Sendable, Hashable {
      /// Pages run in the sandbox. If the system has none, or for root, the browser does not start.
      case on
      /// Pages run without a sandbox. A page that exploits the browser has the rights of this process.
      case off
    }

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
    public var sandbox: Sandbox
    public var fonts: Fonts
    /// The maximum number of concurrent captures.
    ///
    /// Further captures wait.
    public var tabs: Int
    public var startTimeout: Duration

    /// The maximum memory of a page's process in bytes, without its image.
    var pageMemory = 1 << 30
    /// A descriptor that the browser and its shell inherit, for tests that wait for their end.
    package var keptDescriptor: Int32?

    /// Creates a configuration.
    ///
    /// Environment variables give the defaults.
    ///
    /// `WEB_SNAPSHOTTING_BROWSER` is the path or the name of the browser; without it, a browser is searched.
    /// `WEB_SNAPSHOTTING_SANDBOX` may be `off`.
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
