internal import Foundation
internal import Loopback

struct Word: Codable, Sendable, Identifiable {
  var id: String
  var dutch: String
  var article: String?
  var english: String
  var example: String

  /// The word with its article, as learners memorise it.
  var learned: String { article.map { "\($0) \(dutch)" } ?? dutch }
}

struct Phrase: Codable, Sendable, Identifiable {
  var id: String
  var dutch: String
  var english: String
}

/// A sender, recipient or author.
struct User: Codable, Sendable, Identifiable {
  var id: String
  var name: String
  var about: String
}

struct Story: Codable, Sendable, Identifiable {
  enum Audience: String, Codable, Sendable { case `public`, friends }

  var id: Int
  var title: String
  var message: String
  var sender: User
  var recipient: User
  var date: String
  var audience: Audience
}

struct Message: Codable, Sendable, Identifiable {
  var id: Int
  var story: Int
  var author: User
  var text: String
}

struct Credentials: Codable, Sendable {
  var name: String
  var password: String

  /// Whether the name or the password has no visible character.
  var isBlank: Bool { name.allSatisfy(\.isWhitespace) || password.allSatisfy(\.isWhitespace) }
}

/// The name of a logged-in user, and the token for the server.
struct Session: Codable, Sendable {
  var name: String
  var token: String
}

/// The embedded server of `demo dictionary` and `demo stories`, with accounts in memory.
///
/// A story for friends needs a session: without one, the list omits it, and other requests respond with 401.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class ContentServer: @unchecked Sendable {
  private let words: [Word]
  private let phrases: [Phrase]
  private let users: [User]
  private let stories: [Story]
  private let messages: [Message]
  private let lock = NSLock()
  private var passwords = ["ayaka": "tulp"]
  private var tokens: Set<String> = []

  init() throws {
    words = try BundledFiles.items("Content/words.json")
    phrases = try BundledFiles.items("Content/phrases.json")
    users = try BundledFiles.items("Content/users.json")
    stories = try BundledFiles.items("Content/stories.json")
    messages = try BundledFiles.items("Content/messages.json")
  }

  var router: Router {
    Router {
      Route(.post, "/sessions") { request in
        let credentials = try JSONDecoder().decode(Credentials.self, from: Data(request.body))
        return self.logIn(credentials).map { .json($0) } ?? HTTPResponse(401)
      }
      Route(.delete, "/sessions") { request in
        self.logOut(request) ? .json(LoggedOut()) : HTTPResponse(401)
      }
      Route(.post, "/accounts") { request in
        let credentials = try JSONDecoder().decode(Credentials.self, from: Data(request.body))
        guard !credentials.isBlank else { return HTTPResponse(.badRequest) }
        return self.signUp(credentials).map { .json($0, status: .created) } ?? HTTPResponse(.conflict)
      }
      Route(.get, "/words") { request in
        let text = request.query["q"]?.lowercased() ?? ""
        return .json(
          self.words.filter { word in
            text.isEmpty || word.dutch.lowercased().contains(text) || word.english.lowercased().contains(text)
          })
      }
      Route(.get, "/words/:id") { request in Self.response(Self.item(self.words, request)) }
      Route(.get, "/phrases") { _ in .json(self.phrases) }
      Route(.get, "/phrases/:id") { request in Self.response(Self.item(self.phrases, request)) }
      Route(.get, "/users/:id") { request in Self.response(Self.item(self.users, request)) }
      Route(.get, "/stories") { request in .json(self.stories.filter { self.mayRead($0, request) }) }
      Route(.get, "/stories/:id") { request in
        let story = Self.item(self.stories, request)
        return self.mayRead(story, request) ? Self.response(story) : HTTPResponse(401)
      }
      Route(.get, "/stories/:id/messages") { request in
        let story = Self.item(self.stories, request)
        guard self.mayRead(story, request) else { return HTTPResponse(401) }
        return Self.response(story.map { story in self.messages.filter { $0.story == story.id } })
      }
      Route(.get, "/messages/:id") { request in
        let message = Self.item(self.messages, request)
        let story = self.stories.first { $0.id == message?.story }
        return self.mayRead(story, request) ? Self.response(message) : HTTPResponse(401)
      }
    }
  }

  private static func item<Item: Identifiable>(_ items: [Item], _ request: HTTPRequest) -> Item? {
    items.first { "\($0.id)" == request.parameters["id"] }
  }

  private static func response(_ value: (some Encodable)?) -> HTTPResponse {
    value.map { .json($0) } ?? HTTPResponse(.notFound)
  }

  private func mayRead(_ story: Story?, _ request: HTTPRequest) -> Bool {
    story?.audience != .friends || lock.withLock { token(of: request).map(tokens.contains) ?? false }
  }

  private func logIn(_ credentials: Credentials) -> Session? {
    lock.withLock { passwords[credentials.name] == credentials.password ? newSession(credentials.name) : nil }
  }

  /// Creates an account; returns `nil` if the name is taken.
  private func signUp(_ credentials: Credentials) -> Session? {
    lock.withLock {
      guard passwords[credentials.name] == nil else { return nil }
      passwords[credentials.name] = credentials.password
      return newSession(credentials.name)
    }
  }

  /// Ends the session of a request; returns whether there was one.
  private func logOut(_ request: HTTPRequest) -> Bool {
    lock.withLock { token(of: request).map { tokens.remove($0) != nil } ?? false }
  }

  private func token(of request: HTTPRequest) -> String? {
    request.headers["Authorization"].map { String($0.trimmingPrefix("Bearer ")) }
  }

  private func newSession(_ name: String) -> Session {
    let session = Session(name: name, token: UUID().uuidString)
    tokens.insert(session.token)
    return session
  }
}
