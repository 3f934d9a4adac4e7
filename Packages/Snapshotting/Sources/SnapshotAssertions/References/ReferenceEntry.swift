extension ReferenceRegistry {
  /// What is known of one test: where its files are, and how many unnamed assertions it has made.
  ///
  /// Only the registry uses it, while it holds its lock.
  final class Entry {
    /// The files that an assertion may have.
    struct Paths {
      let pathExtension: String?
      /// The file of swift-snapshot-testing, or for a case of a parameterised test the one with its arguments.
      let plain: String
      /// The file of a name that loses something in the plain one.
      let escaped: String?
      /// The file with the suites in its name, for when another suite's test has the plain one.
      let qualified: String?
    }

    let folder: String
    var count = 0
    private let function: String
    private let suites: String
    private let arguments: String?
    private var byName: [String: Paths] = [:]
    private var byNumber: [Int: Paths] = [:]

    init(folder: String, function: String, suites: [String], arguments: String?) {
      self.folder = folder
      self.function = ReferenceNaming.sanitized(function)
      self.suites = suites.isEmpty ? "" : ReferenceNaming.escaped(suites.joined(separator: "."))
      self.arguments = arguments
    }

    /// The files of an assertion, the current number's when it has no name.
    ///
    /// They are kept, since a test that loops asks again and again.
    func paths(named name: String?, isCounted: Bool, _ pathExtension: String?) -> Paths {
      let known = if let name { byName[name] } else { byNumber[count] }
      if let known, known.pathExtension == pathExtension { return known }
      let paths = makePaths(named: name, isCounted, pathExtension)
      if let name { byName[name] = paths } else { byNumber[count] = paths }
      return paths
    }

    private func makePaths(named name: String?, _ isCounted: Bool, _ pathExtension: String?) -> Paths {
      func path(_ qualifiers: [String?], _ assertion: String) -> String {
        let file = ReferenceNaming.fileName(
          function: function, qualifiers: qualifiers.compactMap { $0 }, assertion: assertion,
          pathExtension: pathExtension)
        return "\(folder)/\(file)"
      }
      // Cases have their arguments in the names of unnamed assertions; a name that was given is taken as it is.
      let ownArguments = isCounted ? arguments : nil
      let assertion = name ?? "\(count)"
      let isKept = name.map(ReferenceNaming.isKept) ?? true
      return Paths(
        pathExtension: pathExtension,
        plain: path([ownArguments], isKept ? assertion : ReferenceNaming.sanitized(assertion)),
        escaped: isKept ? nil : path([ownArguments], ReferenceNaming.escaped(assertion)),
        qualified: suites.isEmpty
          ? nil : path([suites, ownArguments], isKept ? assertion : ReferenceNaming.escaped(assertion)))
    }
  }
}
