extension SnapshotTestingConfiguration {
  /// How a failure tells where the two files are, so that they can be opened in a tool.
  ///
  /// ```swift
  /// withSnapshotTesting(diffTool: "opendiff") { … }  // prints: opendiff <reference> <failed>
  /// ```
  public struct DiffTool: Sendable, ExpressibleByStringLiteral {
    private let text: @Sendable (_ currentFilePath: String, _ failedFilePath: String) -> String

    /// Creates a tool from what it prints for two paths.
    public init(_ tool: @escaping @Sendable (_ currentFilePath: String, _ failedFilePath: String) -> String) {
      text = tool
    }

    /// A command, before the two paths.
    public init(stringLiteral command: String) {
      text = { "\(command) \($0) \($1)" }
    }

    /// The command of Kaleidoscope.
    public static let ksdiff = Self { "ksdiff \"\($0)\" \"\($1)\"" }

    /// The two files as URLs, to click on.
    public static let `default` = Self { "@\u{2212}\n\"file://\($0)\"\n@+\n\"file://\($1)\"" }

    /// What is printed for two files.
    public func callAsFunction(currentFilePath: String, failedFilePath: String) -> String {
      text(currentFilePath, failedFilePath)
    }
  }
}
