internal import Foundation

extension Browser {
  /// How a browser is found and started.
  public struct Configuration: Sendable, Hashable {
    /// Whether pages are kept in a sandbox of the system.
    public enum Sandbox: Sendable, Hashable {
      /// They are; where the system offers none, or for root, the browser does not start.
      case on
      /// They are not: a page that breaks the browser's own walls can do what this process can.
      case off
    }

    /// Which fonts pages are shown with.
    public enum Fonts: Sendable, Hashable {
      /// DejaVu alone, drawn without hints for a screen, so that pictures are the same on any Linux system.
      ///
      /// It is looked for where distributions put it. A page's own web fonts work all the same. On Apple's platforms it is ``system``.
      case pinned
      /// Whatever this system has, in the way that it is set up.
      case system
    }

    /// The path of the browser; one is looked for when it is `nil`.
    public var executable: String?
    /// Whether pages are kept in a sandbox of the system.
    public var sandbox: Sandbox
    /// Which fonts pages are shown with.
    public var fonts: Fonts
    /// How many pages are captured at the same time, at most; the others wait.
    public var tabs: Int
    /// How long the browser may take to start; after that every capture that waits for it fails.
    public var startTimeout: Duration

    /// How many bytes of memory a page may take for itself, beside the picture of it.
    var pageMemory = 1 << 30
    /// A descriptor of this process that the browser and its shell keep open to their ends, for tests that watch for those.
    package var keptDescriptor: Int32?

    /// Creates a configuration, in which what is not given is as environment variables say.
    ///
    /// `WEB_SNAPSHOTTING_BROWSER` is the path or the name of the browser, and `WEB_SNAPSHOTTING_SANDBOX` may be `off`.
    ///
    /// - Parameters:
    ///   - executable: The path of the browser. If `nil`, the variable's; without that, one is looked for.
    ///   - sandbox: Whether pages are kept in a sandbox of the system. If `nil`, they are, unless the variable is `off`.
    ///   - fonts: Which fonts pages are shown with.
    ///   - tabs: How many pages are captured at the same time, from 1.
    ///   - startTimeout: How long the browser may take to start.
    ///   - environment: The variables; those of this process if `nil`.
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
