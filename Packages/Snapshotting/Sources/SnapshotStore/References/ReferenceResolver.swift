package import Foundation

/// An assertion and the file that it compares with.
package final class Reference: Sendable {
  package let identity: ReferenceIdentity
  package let site: AssertionSite
  package let fileName: String
  package let path: String
  package let suites: [String]

  fileprivate init(_ identity: ReferenceIdentity, _ site: AssertionSite, _ fileName: String, _ suites: [String]) {
    self.identity = identity
    self.site = site
    self.fileName = fileName
    self.suites = suites
    path = "\(identity.folder)/\(fileName)"
  }

  fileprivate func with(_ fileName: String) -> Reference { Reference(identity, site, fileName, suites) }
}

/// Chooses the reference files of the tests in this process, and detects two assertions with one file.
///
/// An assertion compares with the qualified form of its file name if that file exists, otherwise with the escaped form,
/// otherwise with the plain form. It records the plain form, with two exceptions. If the source declares another test with the
/// same plain form, it records the qualified form. If the plain form loses characters of the assertion's name, it records the
/// escaped form. So the files do not depend on the order of the tests.
///
/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
package final class ReferenceResolver: @unchecked Sendable {
  package static let shared = ReferenceResolver()

  /// Held while a failed assertion chooses, records and reports its file, so that two tests never write a file at the
  /// same time.
  package let writing = NSLock()

  /// The assertion that first matched or wrote a file.
  private struct Owner {
    let reference: Reference
    let hasWritten: Bool
  }

  private let lock = NSLock()
  private var counts: [TestIdentity: [String: Int]] = [:]
  private var references: [ReferenceIdentity: Reference] = [:]
  /// The owners of files, by the bytes of their paths.
  private var owners: [[UInt8]: Owner] = [:]
  private var reportedPaths: Set<String> = []
  private var specialNames: [String: Set<String>] = [:]
  private var declarations: [String: TestDeclarations] = [:]

  package init() {}

  /// Returns the file to compare with.
  package func reference(
    in test: TestIdentity, suites: () -> [String], function: String, at site: AssertionSite, folder: String?,
    name: String?, prefix: String?, pathExtension: String?
  ) -> Reference {
    lock.lock()
    defer { lock.unlock() }
    let file = site.filePath.description
    let folder = folder.map(normalizedFolder) ?? defaultFolder(forFile: file)
    let assertion = name ?? "\(nextNumber(in: test, of: "\(folder)/\(function)"))"
    let identity = ReferenceIdentity(
      test: test, folder: folder, file: file, function: function,
      assertion: prefix.map { "\($0)-\(assertion)" } ?? assertion, isNumbered: name == nil,
      pathExtension: pathExtension)
    if let known = references[identity] {
      return known.site == site ? known : Reference(identity, site, known.fileName, known.suites)
    }
    var reference = Reference(identity, site, identity.fileName(.plain), suites())
    let existing = specialNames(in: folder)
    if !existing.isEmpty {
      let names = [identity.fileName(.qualified(suites: self.suites(of: reference))), identity.fileName(.escaped)]
      if let name = names.first(where: existing.contains) { reference = reference.with(name) }
    }
    references[identity] = reference
    // A snapshot that differs uses its reference too, for example in `withKnownIssue`.
    UsedReferences.shared.note(reference.path)
    return reference
  }

  private func nextNumber(in test: TestIdentity, of function: String) -> Int {
    counts[test, default: [:]][function, default: 0] += 1
    return counts[test]?[function] ?? 1
  }

  private func specialNames(in folder: String) -> Set<String> {
    if let names = specialNames[folder] { return names }
    let all = ReferenceFiles.names(in: folder)
    TemporaryFiles.remove(all, in: folder)
    let names = Set(all.filter(ReferenceNaming.isSpecial))
    specialNames[folder] = names
    return names
  }

  /// Starts the numbers of a test at 1 again, because the test runs again.
  package func resetNumbers(of test: TestIdentity) {
    lock.withLock { counts[test] = nil }
  }

  package func resetAllNumbers() {
    lock.withLock { counts.removeAll() }
  }

  /// Notes that a snapshot matches the file.
  ///
  /// - Returns: Another assertion that also uses the file, the first time for each file.
  package func noteMatch(_ reference: Reference) -> Reference? {
    lock.lock()
    defer { lock.unlock() }
    UsedReferences.shared.note(reference.path)
    let path = Array(reference.path.utf8)
    guard let owner = owners[path] else {
      owners[path] = Owner(reference: reference, hasWritten: false)
      return nil
    }
    // Cases of a test may share a file by its name, without a warning.
    guard owner.reference.site != reference.site, reportedPaths.insert(reference.path).inserted else { return nil }
    return owner.reference
  }

  package func noteRecording(_ reference: Reference) {
    lock.lock()
    defer { lock.unlock() }
    references[reference.identity] = reference
    owners[Array(reference.path.utf8)] = Owner(reference: reference, hasWritten: true)
    if ReferenceNaming.isSpecial(reference.fileName) {
      specialNames[reference.identity.folder]?.insert(reference.fileName)
    }
  }

  package func isRecordedByOther(_ reference: Reference) -> Bool {
    lock.withLock { owners[Array(reference.path.utf8)].map { $0.hasWritten && isOther($0, reference) } ?? false }
  }

  package func isRepeated(_ reference: Reference) -> Bool {
    lock.withLock { owners[Array(reference.path.utf8)].map { !isOther($0, reference) } ?? false }
  }

  private func isOther(_ owner: Owner, _ reference: Reference) -> Bool {
    owner.reference.identity != reference.identity || owner.reference.site != reference.site
  }

  /// The file of a snapshot that differs from its reference, or has none.
  package enum Recording {
    case own(Reference)
    /// The compared file belongs to another assertion. Compare with this one.
    case moved(Reference)
    /// Another assertion uses the file. No other name is available.
    case conflict(Reference)
  }

  package func recording(of reference: Reference, isAbsent: Bool) -> Recording {
    lock.lock()
    defer { lock.unlock() }
    let identity = reference.identity
    let (plain, escaped) = (identity.fileName(.plain), identity.fileName(.escaped))
    let qualified = identity.fileName(.qualified(suites: suites(of: reference)))
    if reference.fileName == plain, qualified != escaped, isAmbiguous(identity) {
      return .own(reference.with(qualified))
    }
    if isAbsent { return .own(reference.fileName == plain ? reference.with(escaped) : reference) }
    guard let owner = otherOwner(of: reference) else { return .own(reference) }
    if !owner.identity.isSameAssertion(as: identity) {
      let isElsewhere = owner.identity.file != identity.file || suites(of: owner) != suites(of: reference)
      let names = (reference.fileName == plain ? [escaped] : []) + (isElsewhere ? [qualified] : [])
      if let name = names.first(where: { $0 != reference.fileName }) {
        let moved = reference.with(name)
        return otherOwner(of: moved).map { .conflict($0) } ?? .moved(moved)
      }
    }
    return .conflict(owner)
  }

  private func otherOwner(of reference: Reference) -> Reference? {
    owners[Array(reference.path.utf8)].flatMap { isOther($0, reference) ? $0.reference : nil }
  }

  // MARK: The source

  private func isAmbiguous(_ identity: ReferenceIdentity) -> Bool {
    let found = declarations(in: identity.file).named(identity.function)
    return found.contains { $0.types != found[0].types || $0.name != found[0].name }
  }

  /// Returns the suites of a test, or the types around the assertion if the test is unknown.
  private func suites(of reference: Reference) -> [String] {
    let identity = reference.identity
    guard reference.suites.isEmpty, !identity.test.isKnown else { return reference.suites }
    let found = declarations(in: identity.file).named(identity.function)
    return found.first { $0.lines.contains(reference.site.line) }?.types ?? []
  }

  package func isHelper(_ function: String, in file: String) -> Bool {
    lock.withLock {
      let declarations = declarations(in: file)
      return declarations.isRead && declarations.named(function).isEmpty
    }
  }

  private func declarations(in file: String) -> TestDeclarations {
    let found =
      declarations[file] ?? TestDeclarations(source: InlineSources.shared.compiledSource(of: file) ?? [])
    declarations[file] = found
    return found
  }
}

/// Returns an absolute path without empty names, `.` and `..`, so that a folder has one name in all assertions and tools.
private func normalizedFolder(_ folder: String) -> String {
  let path = folder.utf8.first == UInt8(ascii: "/") ? folder : "\(FileManager.default.currentDirectoryPath)/\(folder)"
  var names: [String] = []
  for name in path.utf8.split(separator: UInt8(ascii: "/")).map({ String(decoding: $0, as: UTF8.self) }) {
    switch name {
    case ".": break
    case "..": _ = names.popLast()
    default: names.append(name)
    }
  }
  return "/" + names.joined(separator: "/")
}

/// Returns `__Snapshots__/<file without .swift>`, beside the test file.
package func defaultFolder(forFile path: String) -> String {
  let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
  let base = name.lastIndex(of: ".").map { $0 == name.startIndex ? name : name[..<$0] } ?? name
  return "\(ReferenceFiles.folder(of: path))/__Snapshots__/\(base)"
}
