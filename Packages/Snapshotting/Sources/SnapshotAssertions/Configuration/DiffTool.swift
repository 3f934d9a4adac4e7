extension SnapshotTestingConfiguration {
  /// The text in a failure that names the two files, for example a command that opens them.
  ///
  /// ```swift
  /// withSnapshotTesting(diffTool: "opendiff") { … }  // prints: opendiff <reference> <failed>
  /// ```
  public struct DiffTool: Sendable, ExpressibleByStringLiteral {
    private let text: @Sendable (_ currentFilePath: String, _ failedFilePath: String) -> String

    public init(_ tool: @escaping @Sendable (_ currentFilePath: String, _ failedFilePath: String) -> String) {
      text = tool
    }

    /// Creates a tool that prints a command before the two paths.
    public init(stringLiteral command: String) {
      text = { "\(command) \($0) \($1)" }
    }

    public static let ksdiff = Self { "ksdiff \"\($0)\" \"\($1)\"" }

    public static let `default` = Self { "@\u{2212}\n\"file://\($0)\"\n@+\n\"file://\($1)\"" }

    public func callAsFunction(currentFilePath: String, failedFilePath: String) -> String {
      text(currentFilePath, failedFilePath)
    }
  }
}
