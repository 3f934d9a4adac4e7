internal import Foundation
internal import Loopback

/// The embedded server of `demo dictionary` and `demo stories`: a JSON interface to a ``Library``.
///
/// | request | response |
/// |---|---|
/// | `POST /sessions` with name and password | a session; 401 for wrong credentials |
/// | `POST /accounts` with name and password | a session; 409 for a taken name, 400 for a blank value |
/// | `DELETE /sessions` | an empty object; ends the session of the request, or 401 without a valid session |
/// | `GET /words` (`q` filters), `/words/:id`, `/phrases`, `/phrases/:id` | the dictionary |
/// | `GET /stories`, `/stories/:id`, `/stories/:id/messages`, `/messages/:id`, `/users/:id` | the feed |
///
/// Stories for friends need a session: without one, the list omits them, and other requests respond with 401.
enum ContentServer {
  static func router(_ library: Library, accounts: Accounts = Accounts()) -> Router {
    Router {
      Route(.post, "/sessions") { request in
        let credentials = try JSONDecoder().decode(Credentials.self, from: Data(request.body))
        return accounts.logIn(credentials).map { HTTPResponse.json($0) } ?? HTTPResponse(401)
      }
      Route(.delete, "/sessions") { request in
        accounts.logOut(request) ? HTTPResponse.json(LoggedOut()) : HTTPResponse(401)
      }
      Route(.post, "/accounts") { request in
        let credentials = try JSONDecoder().decode(Credentials.self, from: Data(request.body))
        if credentials.isBlank { return HTTPResponse(.badRequest) }
        return accounts.signUp(credentials).map { HTTPResponse.json($0, status: .created) } ?? HTTPResponse(.conflict)
      }
      Route(.get, "/words") { request in
        let text = request.query["q"]?.lowercased() ?? ""
        return HTTPResponse.json(
          library.words.filter { word in
            text.isEmpty || word.dutch.lowercased().contains(text) || word.english.lowercased().contains(text)
          })
      }
      Route(.get, "/words/:id") { request -> HTTPResponse in found(library.words, request) }
      Route(.get, "/phrases") { _ in HTTPResponse.json(library.phrases) }
      Route(.get, "/phrases/:id") { request -> HTTPResponse in found(library.phrases, request) }
      Route(.get, "/users/:id") { request -> HTTPResponse in found(library.users, request) }
      feed(library, accounts)
    }
  }

  private static func feed(_ library: Library, _ accounts: Accounts) -> Router {
    @Sendable func mayRead(_ story: Story, _ request: HTTPRequest) -> Bool {
      story.audience == .public || accounts.hasSession(request)
    }
    return Router {
      Route(.get, "/stories") { request in HTTPResponse.json(library.stories.filter { mayRead($0, request) }) }
      Route(.get, "/stories/:id") { request in
        guard let story = item(library.stories, request) else { return HTTPResponse(.notFound) }
        return mayRead(story, request) ? HTTPResponse.json(story) : HTTPResponse(401)
      }
      Route(.get, "/stories/:id/messages") { request in
        guard let story = item(library.stories, request) else { return HTTPResponse(.notFound) }
        guard mayRead(story, request) else { return HTTPResponse(401) }
        return HTTPResponse.json(library.messages.filter { $0.story == story.id })
      }
      Route(.get, "/messages/:id") { request in
        guard let message = item(library.messages, request),
          let story = library.stories.first(where: { $0.id == message.story })
        else { return HTTPResponse(.notFound) }
        return mayRead(story, request) ? HTTPResponse.json(message) : HTTPResponse(401)
      }
    }
  }

  private static func item<Item: Identifiable>(_ items: [Item], _ request: HTTPRequest) -> Item? {
    items.first { "\($0.id)" == request.parameters["id"] }
  }

  private static func found<Item: Identifiable & Encodable>(_ items: [Item], _ request: HTTPRequest) -> HTTPResponse {
    item(items, request).map { HTTPResponse.json($0) } ?? HTTPResponse(.notFound)
  }
}

struct Credentials: Codable, Sendable {
  var name: String
  var password: String

  /// Whether the name or the password is empty or white space.
  var isBlank: Bool { !blankFields.isEmpty }

  /// The names of the fields without a visible character.
  var blankFields: Set<String> {
    Set([("name", name), ("password", password)].filter { $0.1.allSatisfy(\.isWhitespace) }.map(\.0))
  }
}
