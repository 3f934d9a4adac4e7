internal import Foundation

/// A bird in the server's list.
struct Bird: Sendable, Equatable {
  let name: String
  let scientificName: String?
  let picture: URL
}

extension Bird {
  /// Decodes a list of birds.
  ///
  /// An invalid bird fails the whole list. The error contains its position.
  ///
  /// - Parameters:
  ///   - data: A JSON array of objects with `name`, `picture` (a URL, relative to the list's) and, if known,
  ///     `scientificName`.
  ///   - list: The address of the list.
  static func decode(_ data: Data, from list: URL) -> Result<[Bird], BirdsError> {
    let entries: [Entry]
    do {
      entries = try JSONDecoder().decode([Entry].self, from: data)
    } catch {
      return .failure(.malformedList(at: list, reason: reason(error)))
    }
    var birds: [Bird] = []
    for (index, entry) in entries.enumerated() {
      guard let name = entry.name, !name.allSatisfy(\.isWhitespace) else {
        return .failure(.incompleteBird(at: list, number: index + 1, of: entries.count, missing: "name"))
      }
      guard let path = entry.picture, let picture = URL(string: path, relativeTo: list)?.absoluteURL else {
        return .failure(.incompleteBird(at: list, number: index + 1, of: entries.count, missing: "picture"))
      }
      birds.append(Bird(name: name, scientificName: entry.scientificName, picture: picture))
    }
    return .success(birds)
  }

  private struct Entry: Decodable {
    let name: String?
    let picture: String?
    let scientificName: String?
  }

  /// A short reason for a decoding error, with the position in the list.
  private static func reason(_ error: any Error) -> String {
    func place(_ context: DecodingError.Context) -> String {
      context.codingPath.map { key in key.intValue.map { "bird \($0 + 1)" } ?? "'\(key.stringValue)'" }
        .joined(separator: ", ")
    }
    switch error {
    case DecodingError.typeMismatch(let type, let context):
      let place = place(context)
      guard !place.isEmpty else { return "it is not a JSON array" }
      return "\(place) is not \(type == String.self ? "a string" : "an object")"
    case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty:
      return "it is not valid JSON"
    case DecodingError.valueNotFound(_, let context):
      let place = place(context)
      return "\(place.isEmpty ? "it" : place) is null"
    default:
      return "\(error)"
    }
  }
}
