struct Word: Hashable, Codable, Sendable, Identifiable {
  var id: String
  var dutch: String
  var article: String?
  var english: String
  var example: String

  var learned: String { article.map { "\($0) \(dutch)" } ?? dutch }
}

struct Phrase: Hashable, Codable, Sendable, Identifiable {
  var id: String
  var dutch: String
  var english: String
}

/// A sender, recipient or author of messages.
struct User: Hashable, Codable, Sendable, Identifiable {
  var id: String
  var name: String
  var about: String
}

/// A story of the feed in the talk *Boundaries in Practice*, without optional values.
struct Story: Hashable, Codable, Sendable, Identifiable {
  var id: Int
  var title: String
  var message: String
  var sender: User
  var recipient: User
  var date: String
  var audience: Audience

  enum Audience: String, Codable, Sendable { case `public`, friends }
}

struct Message: Hashable, Codable, Sendable, Identifiable {
  var id: Int
  var story: Int
  var author: User
  var text: String
}

/// The name of a logged-in user, and the token for the server.
struct Session: Hashable, Codable, Sendable {
  var name: String
  var token: String
}
