internal import Parallel

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
  /// Some classes of Foundation and Objective-C, such as `DateFormatter`, do not show their data. A value with an
  /// object of such a class fails the assertion, because different values would look equal. Closures, pointers, queues
  /// and locks contain no data, and are shown as their types.
  ///
  /// An object that contains itself is shown once. After 100,000 lines every shared object is shown once. Types change their
  /// text with ``AnySnapshotStringConvertible``. The cost is proportional to the number of lines, and to the depth of sets and
  /// dictionaries in each other.
  public static var readable: Snapshotting {
    Snapshotting("txt", .lines) { value, context, callback in callback(readableText(of: value, in: context)) }
  }
}

func readableText(of value: Any, in context: SnapshotContext<String>) -> String {
  let tree = TreeBuilder.tree(of: value, as: ReadableForm.self)
  for type in tree.hiddenTypes {
    context.fail(
      """
      Cannot show the data of \(type): its description is incomplete, so different values would look equal. Use a strategy \
      for the members that matter, for instance with pullback, or conform a type that contains the value to \
      AnySnapshotStringConvertible.
      """)
  }
  return tree.readableText()
}

func readableLine(of value: Any) -> String {
  TreeBuilder.tree(of: value, as: ReadableForm.self).readableText(isOnOneLine: true)
}

/// Returns the text that `readable` shows for a value, on one line; `nil` if it does not show all data.
///
/// The text is the same in every process, so it can be part of a file name.
package func completeLine(of value: Any) -> String? {
  let tree = TreeBuilder.tree(of: value, as: ReadableForm.self)
  return tree.hiddenTypes.isEmpty ? tree.readableText(isOnOneLine: true) : nil
}
