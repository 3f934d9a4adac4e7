public import Foundation

/// A file that shows why a snapshot does not match, for example a patch or an image with the changes marked.
///
/// The test runner decides how to show it. The initialisers have the names of those of `XCTAttachment`.
///
/// ```swift
/// SnapshotAttachment(string: patch, name: "difference.patch")
/// ```
public struct SnapshotAttachment: Sendable, Hashable {
  public var name: String

  public var data: Data

  public init(data: Data, name: String = "attachment") {
    self.name = name
    self.data = data
  }

  /// Creates an attachment from text, in UTF-8.
  public init(string: String, name: String = "attachment.txt") {
    self.init(data: Data(string.utf8), name: name)
  }

  /// Creates an attachment from bytes of a type, like an `XCTAttachment`.
  ///
  /// The type, for example `public.png` or `public.plain-text`, decides the path extension of the name. An unknown type
  /// has none.
  public init(data: Data, uniformTypeIdentifier: String) {
    let ending = pathExtension(for: uniformTypeIdentifier)
    self.init(data: data, name: ending.map { "attachment.\($0)" } ?? "attachment")
  }
}

private func pathExtension(for uniformTypeIdentifier: String) -> String? {
  switch uniformTypeIdentifier {
  case "public.patch-file": "patch"
  case "public.png": "png"
  case "public.jpeg": "jpg"
  case "public.json": "json"
  case "public.html": "html"
  case "public.plain-text", "public.text", "public.utf8-plain-text": "txt"
  case "public.xml": "xml"
  case "public.comma-separated-values-text": "csv"
  case "com.apple.property-list": "plist"
  case "com.adobe.pdf": "pdf"
  default: nil
  }
}
