/// The path of a route, taken apart: literal segments, `:name` for one segment, and at the end `*name` for the rest.
struct RoutePattern: Sendable, Equatable {
  enum Segment: Sendable, Equatable {
    case literal(String)
    case parameter(String)
    case rest(String)
  }

  let segments: [Segment]

  init(_ text: String) {
    let words = Self.split(text)
    segments = words.enumerated().map { index, word in
      switch word.first {
      case ":" where word.count > 1: .parameter(String(word.dropFirst()))
      case "*" where word.count > 1 && index == words.count - 1: .rest(String(word.dropFirst()))
      default: .literal(String(word))
      }
    }
  }

  /// Returns the values of the placeholders in a path, or `nil` if the path does not match.
  func match(_ path: String) -> [String: String]? {
    let words = Self.split(path)
    var parameters: [String: String] = [:]
    for (index, segment) in segments.enumerated() {
      guard index < words.count else { return nil }
      switch segment {
      case .literal(let literal):
        guard words[index] == literal else { return nil }
      case .parameter(let name):
        guard !words[index].isEmpty else { return nil }
        parameters[name] = String(words[index])
      case .rest(let name):
        // An empty segment at the front would make the rest look like an absolute path.
        guard !words[index...].contains("") else { return nil }
        parameters[name] = words[index...].joined(separator: "/")
        return parameters
      }
    }
    return words.count == segments.count ? parameters : nil
  }

  private static func split(_ path: String) -> [Substring] {
    let relative = path.hasPrefix("/") ? path.dropFirst() : path[...]
    return relative.split(separator: "/", omittingEmptySubsequences: false)
  }
}
