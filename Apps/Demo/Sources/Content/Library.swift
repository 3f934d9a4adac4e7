internal import Foundation

/// The content of the content server, from the bundled files.
struct Library: Sendable {
  var words: [Word]
  var phrases: [Phrase]
  var users: [User]
  var stories: [Story]
  var messages: [Message]

  /// Reads the files.
  ///
  /// - Throws: The errors of reading and decoding, and ``LibraryError`` for an unknown user ID.
  static func bundled() throws -> Library {
    let users: [User] = try read("users")
    let named = Dictionary(users.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    func user(_ id: String) throws -> User {
      guard let user = named[id] else {
        throw LibraryError(description: "Cannot read the content: users.json has no user '\(id)'.")
      }
      return user
    }
    return Library(
      words: try read("words"), phrases: try read("phrases"), users: users,
      stories: try (read("stories") as [StoryRecord]).map { record in
        Story(
          id: record.id, title: record.title, message: record.message, sender: try user(record.sender),
          recipient: try user(record.recipient), date: record.date, audience: record.audience)
      },
      messages: try (read("messages") as [MessageRecord]).map { record in
        Message(id: record.id, story: record.story, author: try user(record.author), text: record.text)
      })
  }

  private static func read<Value: Decodable>(_ name: String) throws -> [Value] {
    let file = Bundle.module.bundleURL.appending(path: "Content").appending(path: "\(name).json")
    return try JSONDecoder().decode([Value].self, from: Data(contentsOf: file))
  }
}

struct LibraryError: Error, CustomStringConvertible {
  var description: String
}

private struct StoryRecord: Decodable {
  var id: Int
  var title: String
  var message: String
  var sender: String
  var recipient: String
  var date: String
  var audience: Story.Audience
}

private struct MessageRecord: Decodable {
  var id: Int
  var story: Int
  var author: String
  var text: String
}
