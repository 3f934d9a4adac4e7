internal import CPostgres
internal import Foundation

// Checks that keep parts of a connection string out of error messages. libpq's messages about the string contain parts of it.

extension PostgresConfiguration {
  /// A description of the mistake in the connection string, without any part of it; `nil` if there is none.
  package var malformation: String? {
    let scheme = ["postgres://", "postgresql://"].first { connection.hasPrefix($0) }
    guard let scheme else {
      // libpq takes a text without pairs as the name of a database.
      for mark in ["://", "@"] {
        if let start = connection.range(of: mark), !connection[..<start.lowerBound].contains("=") {
          return "the connection string contains \(mark) and does not begin with postgres:// or postgresql://"
        }
      }
      return connection.contains("=") && !isParsed ? "the connection string is malformed" : nil
    }
    if hasUnescapedUser(connection.dropFirst(scheme.count)) {
      return "the user or the password in the connection string contains an unescaped @ or /; "
        + "write %40 for @ and %2F for /"
    }
    return isParsed ? nil : "the connection string is malformed"
  }

  private var isParsed: Bool {
    var message: UnsafeMutablePointer<CChar>?
    let options = PQconninfoParse(connection, &message)
    PQconninfoFree(options)
    PQfreemem(message)
    return options != nil
  }

  /// Whether libpq would take a part of the user or the password as a host, a port or a database.
  ///
  /// libpq ends them at the first `@` that precedes each `/`.
  private func hasUnescapedUser(_ rest: Substring) -> Bool {
    var address = rest
    if let end = rest.firstIndex(where: { $0 == "@" || $0 == "/" }), rest[end] == "@" {
      address = rest[rest.index(after: end)...]
    }
    return address.prefix { $0 != "?" }.contains("@")
  }
}

extension String {
  /// A password of less than 4 characters is not replaced in words, because it is probably another text.
  func hiding(password: String) -> String {
    guard !password.isEmpty else { return self }
    var (text, rest) = ("", self[...])
    while let found = rest.range(of: password) {
      let neighbours = [self[..<found.lowerBound].last, self[found.upperBound...].first]
      let isInWord = neighbours.contains { $0.map { $0.isLetter || $0.isNumber } ?? false }
      text += rest[..<found.lowerBound] + (password.count < 4 && isInWord ? password : "***")
      rest = rest[found.upperBound...]
    }
    return text + rest
  }
}
