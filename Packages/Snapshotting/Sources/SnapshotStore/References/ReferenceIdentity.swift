/// A test, or a case of a parameterised test, as far as the runner identifies it.
package struct TestIdentity: Hashable, Sendable {
  /// The place of the test in its file; 0 if it is unknown.
  package var line = 0
  package var column = 0
  package var name = ""
  /// The escaped arguments of a case; empty if the test has none.
  package var arguments = ""
  /// The number of the case among cases with equal arguments.
  package var caseNumber = 0

  package init(line: Int = 0, column: Int = 0, name: String = "", arguments: String = "", caseNumber: Int = 0) {
    self.line = line
    self.column = column
    self.name = name
    self.arguments = arguments
    self.caseNumber = caseNumber
  }

  package var isKnown: Bool { line != 0 || !name.isEmpty }

  func isSameTest(as other: TestIdentity) -> Bool {
    line == other.line && column == other.column && name == other.name
  }
}

/// Everything that distinguishes one reference from another.
package struct ReferenceIdentity: Hashable, Sendable {
  package let test: TestIdentity
  package let folder: String
  package let file: String
  package var function: String { String(decoding: functionBytes, as: UTF8.self) }
  /// The name of the assertion, or its number, with the prefix of the strategy.
  package var assertion: String { String(decoding: assertionBytes, as: UTF8.self) }
  package let isNumbered: Bool
  package let pathExtension: String?

  // Names are compared by their bytes, as file names are: the two Unicode forms of é are two names.
  private let functionBytes: [UInt8]
  private let assertionBytes: [UInt8]

  package init(
    test: TestIdentity, folder: String, file: String, function: String, assertion: String, isNumbered: Bool,
    pathExtension: String?
  ) {
    self.test = test
    self.folder = folder
    self.file = file
    self.isNumbered = isNumbered
    self.pathExtension = pathExtension
    functionBytes = Array(function.utf8)
    assertionBytes = Array(assertion.utf8)
  }

  package enum Form {
    /// The file name in swift-snapshot-testing, with the arguments of a case. Several assertions can have the same one.
    case plain
    /// The plain form, except that no character of the assertion's name is lost.
    case escaped
    /// The escaped form with the suites of the test, and with its function if the plain form loses characters of that.
    case qualified(suites: [String])
  }

  /// Only numbered assertions have the arguments of a case in their file name.
  package func fileName(_ form: Form) -> String {
    let isKept = ReferenceNaming.isKept(assertion)
    var name = isKept ? assertion : ReferenceNaming.escaped(assertion)
    var qualifiers = isNumbered && !test.arguments.isEmpty ? [test.arguments] : []
    switch form {
    case .plain: if !isKept { name = ReferenceNaming.sanitized(assertion) }
    case .escaped: break
    case .qualified(let suites):
      let word = function.prefix { $0 != "(" }.filter { $0 != "`" }
      let isWordKept = word == ReferenceNaming.sanitized(word) && !word.contains("-")
      let qualifier = (suites + (isWordKept ? [] : [word])).joined(separator: ".")
      if !qualifier.isEmpty { qualifiers.insert(ReferenceNaming.escaped(qualifier), at: 0) }
    }
    return ReferenceNaming.fileName(
      function: ReferenceNaming.sanitized(function), qualifiers: qualifiers, assertion: name,
      pathExtension: pathExtension)
  }

  /// Whether two assertions of one test have the same name, even in different cases of the test.
  package func isSameAssertion(as other: ReferenceIdentity) -> Bool {
    test.isSameTest(as: other.test) && file == other.file && functionBytes == other.functionBytes
      && assertionBytes == other.assertionBytes
  }
}
