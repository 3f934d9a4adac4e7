public import Foundation

/// A file to look at when a snapshot does not match: a difference, a picture of what changed.
///
/// The test runner shows it in its own way; this is only a value. Code that makes an `XCTAttachment` from text or data
/// makes this with the same words.
///
/// ```swift
/// SnapshotAttachment(string: patch, name: "difference.patch")
/// ```
public struct SnapshotAttachment: Sendable, Hashable {
  /// The file's name, with its path extension.
  public var name: String

  /// What is in the file.
  public var data: Data

  /// Creates an attachment from bytes.
  ///
  /// - Parameters:
  ///   - data: What is in the file.
  ///   - name: The file's name, with its path extension.
  public init(data: Data, name: String = "attachment") {
    self.name = name
    self.data = data
  }

  /// Creates an attachment from text, in UTF-8.
  ///
  /// - Parameters:
  ///   - string: What is in the file.
  ///   - name: The file's name, with its path extension.
  public init(string: String, name: String = "attachment.txt") {
    self.init(data: Data(string.utf8), name: name)
  }

  /// Creates an attachment from bytes of a type, as an `XCTAttachment` is made.
  ///
  /// - Parameters:
  ///   - data: What is in the file.
  ///   - uniformTypeIdentifier: Apple's name of the type, which decides the path extension of the name: `public.patch-file`,
  ///     `public.png`, `public.json`, `public.plain-text` and the like. One that is not known gives none.
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
