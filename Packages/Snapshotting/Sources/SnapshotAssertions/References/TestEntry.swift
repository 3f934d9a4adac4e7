/// One test, or one case of a parameterised test, and the assertions that it has made.
///
/// Only the registry changes it, while it holds its lock.
final class TestEntry {
  let folder: String
  let function: String
  let sanitizedFunction: String
  let arguments: String
  /// The next one in the registry's table.
  let next: TestEntry?
  /// How many unnamed assertions it has made.
  var count = 0
  /// The suites that it is in, once somebody needed to know.
  var suites: [String]?

  private var round = 0
  private let file: UnsafeRawPointer
  private let identity: RunningTest.Identity
  private let requestedFolder: String
  private var last: ReferenceSlot?
  private var numbered: [ReferenceSlot] = []
  private var named: [ByteString: ReferenceSlot] = [:]

  init(_ request: ReferenceRegistry.Request, in test: RunningTest, before next: TestEntry?) {
    file = UnsafeRawPointer(request.site.filePath.utf8Start)
    identity = test.identity
    requestedFolder = request.folder ?? ""
    folder = request.folder ?? defaultFolder(forFile: request.site.filePath.description)
    function = request.function
    sanitizedFunction = ReferenceNaming.sanitized(request.function)
    arguments = test.arguments.text
    self.next = next
  }

  /// Whether it is the test of a request.
  ///
  /// A pointer to a literal never moves; two copies of one literal make two entries of the same content. Compared in the order
  /// in which most is said soonest.
  func isTest(of request: ReferenceRegistry.Request, in test: RunningTest) -> Bool {
    file == UnsafeRawPointer(request.site.filePath.utf8Start) && identity.line == test.identity.line
      && identity.column == test.identity.column && identity.caseNumber == test.identity.caseNumber
      && function == request.function && identity.name == test.identity.name
      && requestedFolder == request.folder ?? "" && arguments == test.arguments.text
  }

  /// Whether it is a case of a test.
  func isCase(of test: RunningTest) -> Bool {
    identity == test.identity && arguments == test.arguments.text
  }

  /// Whether the runner has said which test it is.
  var isKnown: Bool { identity.line != 0 || !identity.name.isEmpty }

  func isInSameFile(as other: TestEntry) -> Bool { file == other.file }

  /// Whether it is the same test as another one, with other arguments perhaps.
  func isSameTest(as other: TestEntry) -> Bool {
    var identity = identity
    identity.caseNumber = other.identity.caseNumber
    return self === other || (identity == other.identity && function == other.function && file == other.file)
  }

  /// Counts one more unnamed assertion, from 1 in each round.
  func countOne(in round: Int) {
    if self.round != round { count = 0 }
    self.round = round
    count += 1
  }

  /// How many entries there are from here on.
  var chainLength: Int {
    var length = 1
    var entry = next
    while let known = entry {
      length += 1
      entry = known.next
    }
    return length
  }

  /// What there is of an assertion, the current number's when it has no name.
  func slot(for request: ReferenceRegistry.Request) -> ReferenceSlot {
    let isCounted = request.name == nil
    let asked = request.name ?? request.prefix
    if let last, last.isRequest(asked), last.pathExtension == request.pathExtension, !isCounted { return last }
    let first: ReferenceSlot? =
      isCounted ? (count <= numbered.count ? numbered[count - 1] : nil) : named[ByteString(asked ?? "")]
    var known = first
    while let slot = known, !slot.isRequest(asked) || slot.pathExtension != request.pathExtension { known = slot.next }
    let slot =
      known
      ?? ReferenceSlot(
        in: self, name: request.name ?? request.prefix.map { "\($0)-\(count)" } ?? "\(count)", isCounted: isCounted,
        request: asked, pathExtension: request.pathExtension)
    if known == nil { add(slot, after: first, isCounted: isCounted) }
    if !isCounted { last = slot }
    return slot
  }

  private func add(_ slot: ReferenceSlot, after first: ReferenceSlot?, isCounted: Bool) {
    if let first {
      slot.next = first.next
      first.next = slot
    } else if isCounted {
      numbered.append(slot)
    } else {
      named[ByteString(slot.request ?? "")] = slot
    }
  }

  /// The path of a file in the test's folder.
  func path(_ qualifiers: [String?], _ assertion: String, _ pathExtension: String?) -> String {
    let file = ReferenceNaming.fileName(
      function: sanitizedFunction, qualifiers: qualifiers.compactMap { $0 }, assertion: assertion,
      pathExtension: pathExtension)
    return "\(folder)/\(file)"
  }
}
