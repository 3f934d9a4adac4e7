/// What a test knows of one of its assertions: the files that it may have, and the one that it has.
///
/// Only the registry changes it, while it holds its lock.
final class ReferenceSlot {
  /// The file of an assertion that was made at a place.
  ///
  /// It is kept and answered again as long as nothing about it changes, since a test that loops asks again and again.
  final class Choice {
    unowned let slot: ReferenceSlot
    let site: AssertionSite
    let path: String
    /// The file to take when ``path`` turns out to be somebody else's.
    let alternative: String?
    /// Another assertion that has ``path``.
    let holder: ReferenceSlot?
    /// Whether the other one is another place of the same test, or of another case of it.
    let isHolderInSameTest: Bool
    /// Where the other one is.
    let holderSite: AssertionSite?

    init(
      slot: ReferenceSlot, site: AssertionSite, path: String, alternative: String? = nil, holder: ReferenceSlot? = nil,
      isHolderInSameTest: Bool = false
    ) {
      self.slot = slot
      self.site = site
      self.path = path
      self.alternative = alternative
      self.holder = holder
      self.isHolderInSameTest = isHolderInSameTest
      holderSite = holder?.site
    }
  }

  unowned let test: TestEntry
  /// The name, with the strategy's prefix; for one that is counted its number.
  let name: String
  /// The name or the prefix that was asked for.
  let request: String?
  let pathExtension: String?
  /// The file of swift-snapshot-testing, or for an unnamed assertion of a parameterised test the one with its arguments.
  let plain: String
  /// The file of a name that loses something in the plain one.
  let escaped: String?
  /// One with the same name, or number, and another path extension.
  var next: ReferenceSlot?
  /// Where the assertion is that was made first.
  var site: AssertionSite?
  /// The choice for ``site``, as long as it holds.
  var settled: Choice?
  /// Whether this process wrote the file.
  var isWritten = false

  private let arguments: String?
  private let isKept: Bool

  init(
    in test: TestEntry, name: String, isCounted: Bool, request: String?, pathExtension: String?
  ) {
    self.test = test
    self.name = name
    self.request = request
    self.pathExtension = pathExtension
    // Cases have their arguments in the names of unnamed assertions; a name that was given is taken as it is.
    arguments = isCounted && !test.arguments.isEmpty ? test.arguments : nil
    isKept = ReferenceNaming.isKept(name)
    plain = test.path([arguments], isKept ? name : ReferenceNaming.sanitized(name), pathExtension)
    escaped = isKept ? nil : test.path([arguments], ReferenceNaming.escaped(name), pathExtension)
  }

  /// Whether the slot has exactly this name or prefix.
  func isRequest(_ other: String?) -> Bool {
    request == other && request.map(ByteString.init) == other.map(ByteString.init)
  }

  /// The file with the suites in its name, for when another suite's test has the plain one; `nil` for a free function.
  ///
  /// A function whose name is of words has it in there as it is, too: in the plain one it is the same as others.
  func qualified(suites: [String]) -> String? {
    let word = test.function.prefix { $0 != "(" }.filter { $0 != "`" }
    let qualifiers = suites + (word == ReferenceNaming.sanitized(word) && !word.contains("-") ? [] : [word])
    guard !qualifiers.isEmpty else { return nil }
    let name = isKept ? name : ReferenceNaming.escaped(name)
    return test.path([ReferenceNaming.escaped(qualifiers.joined(separator: ".")), arguments], name, pathExtension)
  }
}
