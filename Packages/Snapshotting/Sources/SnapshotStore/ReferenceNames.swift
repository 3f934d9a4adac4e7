internal import Foundation

/// The names of reference files.
///
/// A name is `<test>.<number or name>.<path extension>`, as in swift-snapshot-testing. An unnamed assertion of a
/// parameterised test adds the arguments: `<test>@<arguments>.<number>.<path extension>`.
package enum ReferenceNames {
  /// Returns a name as swift-snapshot-testing writes it.
  ///
  /// A run of characters that are not letters, digits, marks or `_` becomes one `-`. A `-` at either end is removed.
  package static func sanitized(_ name: String) -> String {
    replacing(in: name) { isWord($0) }
  }

  /// Returns the name of a file without its folder.
  ///
  /// A name that is too long for a file system is cut, and ends in a hash of the whole name.
  ///
  /// - Parameters:
  ///   - test: The function of the test, as `#function` has it.
  ///   - arguments: The arguments of the case, in which letters, digits and `. _ + = , -` stay; `nil` if the name does
  ///     not depend on them.
  ///   - name: The number or the name of the assertion; `nil` for a file without it.
  ///   - pathExtension: The path extension of the strategy.
  package static func fileName(test: String, arguments: [String]?, name: String?, pathExtension: String?) -> String {
    let texts = arguments?.map { replacing(in: $0) { isWord($0) || "._+=,-".unicodeScalars.contains($0) } }
    let stem = [sanitized(test) + (texts.map { "@" + $0.joined(separator: ",") } ?? ""), name.map(sanitized)]
      .compactMap(\.self).joined(separator: ".")
    let ending = pathExtension.map { ".\($0)" } ?? ""
    // Names of artifacts and temporary files are longer.
    return cut(stem, to: 200 - ending.utf8.count) + ending
  }

  /// Returns the name of a file without its folder and its path extension.
  package static func baseName(of path: String) -> String {
    let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
    return String(name.lastIndex(of: ".").map { $0 == name.startIndex ? name : name[..<$0] } ?? name)
  }

  /// Returns a text with at most a number of bytes.
  ///
  /// A text that is cut ends in a hash of the whole text.
  package static func cut(_ text: String, to count: Int) -> String {
    guard text.utf8.count > count else { return text }
    let hash = "~\(Fingerprint.of(text.utf8))"
    var kept = text.unicodeScalars.prefix(count - hash.utf8.count)
    while kept.reduce(0, { $0 + UTF8.width($1) }) + hash.utf8.count > count { kept.removeLast() }
    return String(kept) + hash
  }

  private static func replacing(in name: String, keeping isKept: (Unicode.Scalar) -> Bool) -> String {
    var (scalars, isInRun) = (String.UnicodeScalarView(), false)
    for scalar in name.unicodeScalars {
      if isKept(scalar) {
        if isInRun, !scalars.isEmpty { scalars.append("-") }
        scalars.append(scalar)
      }
      isInRun = !isKept(scalar)
    }
    return String(scalars)
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": return true
    default: if scalar.isASCII { return false }
    }
    return switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation: true
    default: scalar.properties.isAlphabetic || scalar.value == 0x200C || scalar.value == 0x200D
    }
  }
}
