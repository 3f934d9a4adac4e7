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
      if let name, let prefix { self.name = "\(prefix)-\(name)" } else { self.name = name }
      self.prefix = prefix
      self.pathExtension = pathExtension
    }
  }

  /// What is to be done with a snapshot that is not what the chosen file has.
  enum Resolution {
    /// The file is the assertion's own.
    case own
    /// It has another one, which is the choice from now on.
    case moved(ReferenceSlot.Choice)
    /// It has none, since another assertion has it.
    case conflict(path: String, ReferenceSlot)
  }

  /// Held while an absent file is looked for once more and written, so that two tests never write one at the same time.
  let writing = NSLock()

  private let lock = NSLock()
  // A table of its own: this is asked for by every assertion, and a dictionary costs ten times as much in debug builds.
  private var tests: [TestEntry?] = Array(repeating: nil, count: 1_024)
  /// How often all counters were forgotten.
  private var round = 0
  private var holders: [ByteString: ReferenceSlot] = [:]
  private var escapedNames: [String: Set<String>] = [:]
  private var sharedFilesTold: Set<String> = []
  private var declarations: [String: TestDeclarations] = [:]

  /// Chooses the file of an assertion, and notes that it has it.
  ///
  /// - Throws: ``AssertionError`` for an unnamed assertion whose case cannot be told from others.
  func choose(_ request: Request, in test: RunningTest) throws(AssertionError) -> ReferenceSlot.Choice {
    lock.lock()
    defer { lock.unlock() }
    if request.name == nil {
      if test.isUnknownSwiftTest, isHelper(request) {
        throw AssertionError(unknownTestMessage(function: request.function))
      }
      if test.hidesArguments(of: request.function) {
        throw AssertionError(unreadableArgumentsMessage(testName: request.function))
      }
    }
    let entry = entry(for: request, in: test)
    if request.name == nil { entry.countOne(in: round) }
    let slot = entry.slot(for: request)
    if let settled = slot.settled, settled.site == request.site { return settled }
    return settle(slot, at: request.site, in: test)
  }

  private func entry(for request: Request, in test: RunningTest) -> TestEntry {
    let bucket = bucket(of: test, request.function)
    let first = tests[bucket]
    var known = first
    while let entry = known {
      if entry.isTest(of: request, in: test) { return entry }
      known = entry.next
    }
    let entry = TestEntry(request, in: test, before: first)
    tests[bucket] = entry
    return entry
  }

  /// Where a test is in the table: by its line, since that is known of it without its function.
  private func bucket(of test: RunningTest, _ function: String) -> Int {
    (test.identity.line == 0 ? function.hashValue : test.identity.line) & (tests.count - 1)
  }

  private func settle(_ slot: ReferenceSlot, at site: AssertionSite, in test: RunningTest) -> ReferenceSlot.Choice {
    let folder = slot.test.folder
    let qualified = qualified(slot, at: site, in: test)
    let choice: ReferenceSlot.Choice
    if let escaped = slot.escaped {
      choice =
        exists(escaped, in: folder)
        ? take(escaped, or: qualified, for: slot, site) : take(slot.plain, or: escaped, for: slot, site)
    } else {
      choice = take(slot.plain, or: qualified, for: slot, site)
    }
    if slot.site == nil { slot.site = site }
    if slot.site == site { slot.settled = choice }
    return choice
  }

  /// The file with the suites in its name; they are looked up where only the source tells them.
  private func qualified(_ slot: ReferenceSlot, at site: AssertionSite, in test: RunningTest) -> String? {
    if slot.test.suites == nil {
      let suites = test.suites()
      // Without any file of that form nobody has to know.
      let isNeeded = suites.isEmpty && test.isUnknownXCTest && !escapedNames(in: slot.test.folder).isEmpty
      slot.test.suites = isNeeded ? own(declarations(of: slot, at: site), of: slot, at: site)?.types ?? [] : suites
    }
    return slot.qualified(suites: slot.test.suites ?? [])
  }

  private func take(
    _ path: String, or alternative: String?, for slot: ReferenceSlot, _ site: AssertionSite
  ) -> ReferenceSlot.Choice {
    if let alternative, exists(alternative, in: slot.test.folder) { return take(alternative, or: nil, for: slot, site) }
    let holder = holders[ByteString(path)]
    if holder == nil { holders[ByteString(path)] = slot }
    let isOther = holder.map { $0 !== slot || ($0.site != nil && $0.site != site) } ?? false
    guard isOther, let holder else {
      return ReferenceSlot.Choice(slot: slot, site: site, path: path, alternative: alternative)
    }
    // A case of the same test, or the same name at another place, can only get a file of its own by another name.
    let isSameTest = holder.test.isSameTest(as: slot.test) && holder.name == slot.name
    return ReferenceSlot.Choice(
      slot: slot, site: site, path: path, alternative: isSameTest ? nil : alternative, holder: holder,
      isHolderInSameTest: isSameTest)
  }

  /// Whether a file with an escaped name is there.
  private func exists(_ path: String, in folder: String) -> Bool {
    let names = escapedNames(in: folder)
    guard !names.isEmpty else { return false }
    return names.contains(String(path.dropFirst(folder.count + 1)))
  }

  /// The names in a folder that have escapes; each folder is looked at once.
  private func escapedNames(in folder: String) -> Set<String> {
    if let names = escapedNames[folder] { return names }
    let all = ReferenceFiles.names(in: folder)
    AbandonedFiles.remove(all, in: folder)
    let names = Set(all.filter(isEscaped))
    escapedNames[folder] = names
    return names
  }

  private func isEscaped(_ name: String) -> Bool { name.contains("~") || name.contains("@") }

  /// Decides whose a file is that is absent, or is not what the assertion's snapshot is.
  ///
  /// A file that tests of several suites could have by its name is that of the test which is declared first, a free function
  /// before those in suites. It does not depend on the order in which they run.
  ///
  /// - Parameter isRecording: Whether the file is absent and the caller is about to write it, which it does under `writing`.
  func resolve(_ choice: ReferenceSlot.Choice, isAbsent: Bool, isRecording: Bool) -> Resolution {
    lock.lock()
    defer { lock.unlock() }
    let slot = choice.slot
    let holder = holder(of: choice)
    let isFirstToWrite = isRecording && holder.map { $0 !== slot && !$0.isWritten } ?? false
    var conflict: Resolution {
      guard let holder else { return .own }
      return isFirstToWrite ? takeOver(choice) : .conflict(path: choice.path, holder)
    }
    guard !choice.isHolderInSameTest else { return conflict }
    var path = choice.path
    if let escaped = slot.escaped, path == slot.plain {
      // It may be an old file of that name.
      guard isAbsent || holder != nil else { return .own }
      path = escaped
    }
    if path == slot.escaped ?? slot.plain {
      let holder = holders[ByteString(path)].flatMap { $0 === slot ? nil : $0 }
      let declared = declarations(of: slot, at: choice.site)
      let own = own(declared, of: slot, at: choice.site)
      let owner = declared.first(where: \.types.isEmpty) ?? declared.first
      if let own, own != owner {
        path = slot.qualified(suites: own.types) ?? path
      } else if let holder, own == nil || !holder.test.isInSameFile(as: slot.test) {
        // The source says nothing of the two, so it is that of the one that came first. Tests of one suite would only share
        // the other one, too.
        let (suites, others) = (slot.test.suites ?? [], holder.test.suites ?? [])
        if suites != others || !holder.test.isInSameFile(as: slot.test) {
          path = slot.qualified(suites: suites) ?? path
        }
      } else if path == choice.path {
        return .own
      }
    }
    return path == choice.path ? conflict : move(choice, to: path)
  }

  /// Gives a file to the test that is the first to write it, though another was the first to ask.
  private func takeOver(_ choice: ReferenceSlot.Choice) -> Resolution {
    holders[ByteString(choice.path)] = choice.slot
    let taken = take(choice.path, or: nil, for: choice.slot, choice.site)
    if choice.slot.site == choice.site { choice.slot.settled = taken }
    return .moved(taken)
  }

  /// Who has the file of a choice, if that is not the assertion itself.
  private func holder(of choice: ReferenceSlot.Choice) -> ReferenceSlot? {
    if let holder = choice.holder { return holder }
    // Another test may have been faster.
    return holders[ByteString(choice.path)].flatMap { $0 === choice.slot ? nil : $0 }
  }

  /// The tests in the source that have the name of an assertion's test.
  private func declarations(of slot: ReferenceSlot, at site: AssertionSite) -> [TestDeclarations.Declaration] {
    declarations(at: site).named(slot.test.function)
  }

  private func declarations(at site: AssertionSite) -> TestDeclarations {
    let path = site.filePath.description
    let known = declarations[path] ?? TestDeclarations(source: InlineSources.shared.compiledSource(of: path) ?? [])
    declarations[path] = known
    return known
  }

  /// Whether the source says that an assertion is in a function that is no test.
  private func isHelper(_ request: Request) -> Bool {
    let declarations = declarations(at: request.site)
    return declarations.isRead && declarations.named(request.function).isEmpty
  }

  /// The one that an assertion is in: by its suites, where they are known, and by its place, where that is not enough.
  private func own(
    _ declared: [TestDeclarations.Declaration], of slot: ReferenceSlot, at site: AssertionSite
  ) -> TestDeclarations.Declaration? {
    guard declared.count > 0 else { return nil }
    let suites = slot.test.suites ?? []
    let isKnown = slot.test.isKnown
    let candidates =
      isKnown
      ? declared.filter { suites.isEmpty ? $0.types.isEmpty : $0.types.suffix(suites.count).elementsEqual(suites) }
      : declared
    return isKnown && candidates.count == 1 ? candidates.first : candidates.first { $0.lines.contains(site.line) }
  }

  private func move(_ choice: ReferenceSlot.Choice, to path: String) -> Resolution {
    let slot = choice.slot
    if let holder = holders[ByteString(path)], holder !== slot,
      !holder.test.isSameTest(as: slot.test) || holder.name != slot.name
    {
      return .conflict(path: path, holder)
    }
    if choice.holder == nil { holders[ByteString(choice.path)] = nil }
    let moved = take(path, or: nil, for: slot, choice.site)
    if slot.site == choice.site { slot.settled = moved }
    return .moved(moved)
  }

  /// Notes that an assertion's file was written.
  func noteWritten(_ choice: ReferenceSlot.Choice) {
    let folder = choice.slot.test.folder
    lock.lock()
    defer { lock.unlock() }
    choice.slot.isWritten = true
    let name = String(choice.path.dropFirst(folder.count + 1))
    if isEscaped(name) { escapedNames[folder]?.insert(name) }
  }

  /// Whether this process wrote, for another assertion, the file that one has chosen.
  func isWrittenByOther(_ choice: ReferenceSlot.Choice) -> Bool {
    lock.withLock { holder(of: choice)?.isWritten ?? false }
  }

  /// Whether this process wrote an assertion's file before.
  func isWritten(_ slot: ReferenceSlot?) -> Bool {
    lock.withLock { slot?.isWritten ?? false }
  }

  /// Whether nobody has been told yet that assertions share a file.
  func isFirstToTellShared(_ path: String) -> Bool {
    lock.withLock { sharedFilesTold.insert(path).inserted }
  }

  /// How many tests and files are known.
  var entryCount: Int {
    lock.withLock { holders.count + tests.reduce(0) { $0 + ($1?.chainLength ?? 0) } }
  }

  /// Lets a test that is run again count from 1.
  func forgetCounters(of test: RunningTest) {
    lock.lock()
    defer { lock.unlock() }
    // A detached helper counts for itself, and there is nothing to forget of a test that is not known.
    guard test.identity.line != 0 else { return }
    var entry = tests[bucket(of: test, "")]
    while let known = entry {
      if known.isCase(of: test) { known.count = 0 }
      entry = known.next
    }
  }

  /// Lets every test count from 1.
  func forgetAllCounters() {
    lock.withLock { round += 1 }
  }
}

/// `__Snapshots__/<file without .swift>`, beside the test file.
func defaultFolder(forFile path: String) -> String {
  let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
  let base = name.lastIndex(of: ".").map { $0 == name.startIndex ? name : name[..<$0] } ?? name
  return "\(ReferenceFiles.folder(of: path))/__Snapshots__/\(base)"
}
