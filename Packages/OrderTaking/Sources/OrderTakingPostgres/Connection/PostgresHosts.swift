internal import CPostgres

/// libpq itself tries the next server only if a server refuses the connection.
///
/// For a server that does not answer, the caller limits the time of an attempt, and begins the next attempt with the
/// next server.
struct PostgresHosts {
  private(set) var count = 1
  private(set) var timeLimit: Duration
  /// The values of `host`, `hostaddr` and `port` with a part for each server; empty with a single server.
  private var lists: [(keyword: String, parts: [Substring])] = []

  init(_ configuration: PostgresConfiguration) {
    timeLimit = configuration.connectTimeLimit
    // The environment and the compiled values come first, then the connection string.
    var options = Self.values(PQconndefaults())
    options.merge(Self.values(PQconninfoParse(configuration.connection, nil))) { $1 }
    var parts: [String: [Substring]] = [:]
    for keyword in ["host", "hostaddr", "port"] {
      parts[keyword] = options[keyword]?.split(separator: ",", omittingEmptySubsequences: false)
    }
    let hosts = (parts["hostaddr"] ?? parts["host"])?.count ?? 1
    // libpq refuses lists of other lengths, except for a single port.
    let isValid = parts.allSatisfy { $0.value.count == hosts || $0.key == "port" && $0.value.count == 1 }
    if hosts > 1, isValid {
      count = hosts
      lists = parts.filter { $0.value.count == hosts }.map { ($0.key, $0.value) }.sorted { $0.keyword < $1.keyword }
    }
    timeLimit = timeLimit / count
    if let seconds = options["connect_timeout"].flatMap({ Int($0) }), seconds > 0 {
      timeLimit = min(timeLimit, .seconds(seconds))
    }
  }

  func settings(from first: Int) -> [[String]] {
    lists.map { [$0.keyword, ($0.parts[first...] + $0.parts[..<first]).joined(separator: ",")] }
  }

  private static func values(_ options: UnsafeMutablePointer<PQconninfoOption>?) -> [String: String] {
    defer { PQconninfoFree(options) }
    var values: [String: String] = [:]
    var next = options
    while let option = next?.pointee, let keyword = option.keyword {
      if let value = option.val, value.pointee != 0 { values[String(cString: keyword)] = String(cString: value) }
      next = next?.successor()
    }
    return values
  }
}
