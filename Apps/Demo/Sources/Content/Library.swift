internal import Foundation

/// All that the content server serves, from the files that come with the command.
struct Library: Sendable {
  var words: [Word]
  var phrases: [Phrase]
  var users: [User]
  var stories: [Story]
  var messages: [Message]

  /// Reads the files.
  ///
  /// - Throws: What reading or decoding them throws, and ``LibraryError`` for a name that is nobody's.
  static func bundled() throws -> Library {
    let users: [User] = try read("users")
    let named = Dictionary(users.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    func user(_ id: String) throws -> User {
      guard let user = named[id] else { throw LibraryError(description: "There is no user '\(id)' in users.json.") }
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

/// What is wrong with the files.
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
