internal import Foundation

/// Which files the assertions of this process have: it counts unnamed ones, and keeps different ones apart.
///
/// It grows with the number of tests and of files, not with the number of assertions.
///
/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
final class ReferenceRegistry: @unchecked Sendable {
  /// That of the process, since the tests of a process share its folders.
  static let shared = ReferenceRegistry()

  /// Everything that decides which file an assertion has.
  struct Request {
    let site: AssertionSite
    let folder: String?
    let function: String
    /// The name of the assertion, with the strategy's prefix; `nil` when it is counted.
    let name: String?
    /// The strategy's prefix of a name that is counted.
    let prefix: String?
    let pathExtension: String?

    init(
      site: AssertionSite, folder: String?, function: String, name: String?, prefix: String? = nil,
      pathExtension: String?
    ) {
      self.site = site
      self.folder = folder
      self.function = function
      self.name = name.map { name in prefix.map { "\($0)-\(name)" } ?? name }
      self.prefix = prefix
      self.pathExtension = pathExtension
    }
  }

  /// The file that an assertion has, unless its content turns out to be somebody else's.
  struct Choice {
    let path: String
    /// The file to take when ``path`` is not this assertion's: when somebody else has it, or when it is absent and the
    /// name would not be told from others there.
    let alternative: String?
    let isAlternativeForNew: Bool
    /// The other assertion that has ``path``.
    let holder: AssertionSite?
    fileprivate let claim: Claim
  }

  private let lock = NSLock()
  private var tests: [TestKey: Entry] = [:]
  private var claims: [String: Claim] = [:]
  private var escapedNames: [String: Set<String>] = [:]
  private var sharedFilesTold: Set<String> = []

  fileprivate struct TestKey: Hashable {
    let file: UnsafeRawPointer
    let folder: String?
    let function: String
    let identity: RunningTest.Identity
    let arguments: String?

    // A pointer to a literal never moves; two copies of one literal make two entries of the same content.
    static func == (left: Self, right: Self) -> Bool {
      left.file == right.file && left.identity == right.identity && left.function == right.function
        && left.folder == right.folder && left.arguments == right.arguments
    }
  }

  fileprivate struct Claim {
    let key: TestKey
    let name: String?
    let site: AssertionSite
  }

  /// Chooses the file of an assertion, and notes that it has it.
  ///
  /// - Throws: ``AssertionError`` for an unnamed assertion whose case cannot be told from others.
  func choose(_ request: Request, in test: RunningTest) throws(AssertionError) -> Choice {
    if test.arguments == .unreadable, request.name == nil {
      throw AssertionError(unreadableArgumentsMessage(testName: request.function))
    }
    let key = TestKey(
      file: UnsafeRawPointer(request.site.filePath.utf8Start), folder: request.folder, function: request.function,
      identity: test.identity, arguments: test.arguments.text)
    return lock.withLock {
      let entry = entry(for: key, request, test)
      if request.name == nil { entry.count += 1 }
      let name = request.name ?? request.prefix.map { "\($0)-\(entry.count)" }
      let claim = Claim(key: key, name: name ?? "\(entry.count)", site: request.site)
      let paths = entry.paths(named: name, isCounted: request.name == nil, request.pathExtension)
      return choice(for: claim, paths, of: entry)
    }
  }

  private func entry(for key: TestKey, _ request: Request, _ test: RunningTest) -> Entry {
    if let entry = tests[key] { return entry }
    let folder = request.folder ?? defaultFolder(forFile: request.site.filePath.description)
    let entry = Entry(
      folder: folder, function: request.function, suites: test.suites(), arguments: test.arguments.text)
    tests[key] = entry
    return entry
  }

  private func choice(for claim: Claim, _ paths: Entry.Paths, of entry: Entry) -> Choice {
    if let escaped = paths.escaped {
      if exists(escaped, in: entry.folder) { return take(escaped, or: paths.qualified, in: entry, claim) }
      return take(paths.plain, or: escaped, isAlternativeForNew: true, in: entry, claim)
    }
    return take(paths.plain, or: paths.qualified, in: entry, claim)
  }

  private func take(
    _ path: String, or alternative: String?, isAlternativeForNew: Bool = false, in entry: Entry, _ claim: Claim
  ) -> Choice {
    if let alternative, exists(alternative, in: entry.folder) { return take(alternative, or: nil, in: entry, claim) }
    let holder = claims[path]
    if holder == nil { claims[path] = claim }
    let isOther = holder.map { $0.key != claim.key || $0.name != claim.name || $0.site != claim.site } ?? false
    // The same assertion of the same test, written twice, can only get a file of its own by another name.
    let isSameName = isOther && holder.map { $0.key == claim.key && $0.name == claim.name } == true
    return Choice(
      path: path, alternative: isSameName ? nil : alternative, isAlternativeForNew: isAlternativeForNew,
      holder: isOther ? holder?.site : nil, claim: claim)
  }

  /// Whether a file with an escaped name is there; each folder is looked at once.
  private func exists(_ path: String, in folder: String) -> Bool {
    if escapedNames[folder] == nil {
      escapedNames[folder] = Set(ReferenceFiles.names(in: folder).filter { $0.contains("~") || $0.contains("@") })
    }
    guard let names = escapedNames[folder], !names.isEmpty else { return false }
    return names.contains(String(path.dropFirst(folder.count + 1)))
  }

  /// Gives an assertion its alternative file.
  ///
  /// - Returns: The other assertion that has that file too, if there is one.
  func move(_ choice: Choice, to path: String) -> AssertionSite? {
    lock.withLock {
      if choice.holder == nil { claims[choice.path] = nil }
      if let holder = claims[path], holder.key != choice.claim.key || holder.name != choice.claim.name {
        return holder.site
      }
      claims[path] = choice.claim
      return nil
    }
  }

  /// Notes that a file was written.
  func noteWritten(_ path: String) {
    let folder = ReferenceFiles.folder(of: path)
    lock.withLock { _ = escapedNames[folder]?.insert(String(path.dropFirst(folder.count + 1))) }
  }

  /// Whether nobody has been told yet that assertions share a file.
  func isFirstToTellShared(_ path: String) -> Bool {
    lock.withLock { sharedFilesTold.insert(path).inserted }
  }

  /// How many tests and files are known.
  var entryCount: Int { lock.withLock { tests.count + claims.count } }

  /// Lets a test that is run again count from 1.
  func forgetCounters(of test: RunningTest) {
    lock.withLock {
      for (key, entry) in tests where key.identity == test.identity && key.arguments == test.arguments.text {
        entry.count = 0
      }
    }
  }

  /// Lets every test count from 1.
  func forgetAllCounters() {
    lock.withLock { for entry in tests.values { entry.count = 0 } }
  }
}

extension RunningTest.Arguments {
  fileprivate var text: String? {
    if case .known(let text) = self { text } else { nil }
  }
}

/// `__Snapshots__/<file without .swift>`, beside the test file.
func defaultFolder(forFile path: String) -> String {
  let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
  let base = name.lastIndex(of: ".").map { $0 == name.startIndex ? name : name[..<$0] } ?? name
  return "\(ReferenceFiles.folder(of: path))/__Snapshots__/\(base)"
}
