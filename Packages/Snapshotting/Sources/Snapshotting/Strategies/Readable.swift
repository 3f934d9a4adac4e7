extension Snapshotting where Format == String {
  /// Shows the contents of a value in a readable form.
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
  /// Members are in the order of their declaration, those of superclasses first. Dictionaries and sets are sorted by their keys and
  /// elements, numbers by size. Dates keep their fraction to the nanosecond, decimals are numbers, and all bytes of data are
  /// shown. Addresses are never shown. An optional is shown as its value or `nil`.
  ///
  /// An object that contains itself is shown once. After 100,000 lines every shared object is shown once. Types change their
  /// text with ``AnySnapshotStringConvertible``. The cost is proportional to the number of lines, at any depth, except for keys
  /// that contain dictionaries.
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
