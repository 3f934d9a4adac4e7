internal import Foundation

/// A bird as the server lists it.
struct Bird: Sendable, Equatable {
  let name: String
  let scientificName: String?
  /// Where its picture is.
  let picture: URL
}

extension Bird {
  /// Reads a list of birds.
  ///
  /// Pure: the whole decision between the data and what is shown.
  ///
  /// No bird is dropped: one that cannot be shown fails the list, and the error says which one it is.
  ///
  /// - Parameters:
  ///   - data: A JSON array of objects with `name`, `picture` (a URL, relative to the list's) and, if known,
  ///     `scientificName`.
  ///   - list: Where the data came from.
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

  /// What a person can do something with, of all that a decoder reports.
  private static func reason(_ error: any Error) -> String {
    func place(_ context: DecodingError.Context) -> String {
      context.codingPath.map { key in key.intValue.map { "bird \($0 + 1)" } ?? "'\(key.stringValue)'" }
        .joined(separator: ", ")
    }
    switch error {
    case DecodingError.typeMismatch(let type, let context):
      let place = place(context)
      return "\(place.isEmpty ? "the list" : place) is not of type \(type)"
    case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty:
      return "it is no JSON at all"
    case DecodingError.valueNotFound(_, let context):
      return "\(place(context)) is null"
    default:
      return "\(error)"
    }
  }
}
