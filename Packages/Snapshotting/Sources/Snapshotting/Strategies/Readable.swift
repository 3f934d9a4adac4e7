extension Snapshotting where Format == String {
  /// Shows what a value contains, for people to read.
  ///
  /// ```swift
  /// assertSnapshot(of: user, as: .readable)
  /// ```
  ///
  /// ```
  /// User(
  ///   id: 1,
  ///   name: "Blobby",
  ///   joined: Date(2018-12-17T10:00:00.25Z),
  ///   friends: [
  ///     "Ann",
  ///     "Bo"
  ///   ]
  /// )
  /// ```
  ///
  /// Members come in the order of their declaration, those of superclasses first; dictionaries and sets in the order of
  /// their keys and elements, numbers by size. Dates keep their fraction to the nanosecond, decimals are numbers, and all bytes of
  /// data are shown. Addresses are never shown. An optional is its value
  /// or `nil`. An object that contains itself is shown once; from 100,000 lines on, so is
  /// every object that several others refer to. Types have a say by conforming to
  /// ``AnySnapshotStringConvertible``. The cost is in proportion to the number of lines, however deeply the value is nested,
  /// save for keys that themselves contain dictionaries.
  public static var readable: Snapshotting {
    SimplySnapshotting.lines.pullback { readableText(of: $0) }
  }
}

/// Returns the text that `readable` shows for a value.
///
/// The text is the same in every process, so it can be part of a file name.
///
/// - Parameter isOnOneLine: Whether all children are on one line.
package func readableText(of value: Any, isOnOneLine: Bool = false) -> String {
  TreeBuilder<ReadableForm>.tree(of: value).readableText(isOnOneLine: isOnOneLine)
}
