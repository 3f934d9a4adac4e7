public import Foundation

/// A file that shows why a snapshot does not match, for example a patch or an image with the changes marked.
///
/// The test runner decides how to show it. The initialisers have the names of those of `XCTAttachment`.
///
/// ```swift
/// SnapshotAttachment(string: patch, name: "difference.patch")
/// ```
public struct SnapshotAttachment: Sendable, Hashable {
  /// The file's name, with its path extension.
  public var name: String

  /// The contents of the file.
  public var data: Data

  /// Creates an attachment from bytes.
  ///
  /// - Parameters:
  ///   - data: The contents of the file.
  ///   - name: The file's name, with its path extension.
  public init(data: Data, name: String = "attachment") {
    self.name = name
    self.data = data
  }

  /// Creates an attachment from text, in UTF-8.
  ///
  /// - Parameters:
  ///   - string: The contents of the file.
  ///   - name: The file's name, with its path extension.
  public init(string: String, name: String = "attachment.txt") {
    self.init(data: Data(string.utf8), name: name)
  }

  /// Creates an attachment from bytes of a type, like an `XCTAttachment`.
  ///
  /// - Parameters:
  ///   - data: The contents of the file.
  ///   - uniformTypeIdentifier: Apple's name of the type, for example `public.png` or `public.plain-text`. It decides the path
  ///     extension of the name. An unknown type has none.
  public init(data: Data, uniformTypeIdentifier: String) {
    let pathExtension = pathExtensions[uniformTypeIdentifier]
    self.init(data: data, name: pathExtension.map { "attachment.\($0)" } ?? "attachment")
  }
}

private let pathExtensions = [
  "public.patch-file": "patch", "public.png": "png", "public.jpeg": "jpg", "public.json": "json", "public.html": "html",
  "public.plain-text": "txt", "public.text": "txt", "public.utf8-plain-text": "txt", "public.xml": "xml",
  "public.comma-separated-values-text": "csv", "com.apple.property-list": "plist", "com.adobe.pdf": "pdf",
]
