internal import Foundation
internal import Loopback

/// Who has an account at the content server, and who is logged in; in memory, for the time of the command.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class Accounts: @unchecked Sendable {
  private let lock = NSLock()
  private var passwords = ["ayaka": "tulp"]
  private var tokens: Set<String>

  /// Creates the accounts.
  ///
  /// - Parameter sessions: Those that hold from an earlier run.
  init(sessions: [Session] = []) {
    tokens = Set(sessions.map(\.token))
  }

  func logIn(_ credentials: Credentials) -> Session? {
    lock.withLock { passwords[credentials.name] == credentials.password ? session(for: credentials.name) : nil }
  }

  /// Makes an account; `nil` when the name is taken.
  func signUp(_ credentials: Credentials) -> Session? {
    lock.withLock {
      guard passwords[credentials.name] == nil else { return nil }
      passwords[credentials.name] = credentials.password
      return session(for: credentials.name)
    }
  }

  /// Whether a request comes with a session.
  func hasSession(_ request: HTTPRequest) -> Bool {
    token(of: request).map { token in lock.withLock { tokens.contains(token) } } ?? false
  }

  /// Ends the session that a request comes with; says whether there was one.
  func logOut(_ request: HTTPRequest) -> Bool {
    token(of: request).map { token in lock.withLock { tokens.remove(token) != nil } } ?? false
  }

  private func token(of request: HTTPRequest) -> String? {
    guard let word = request.headers["Authorization"], word.hasPrefix("Bearer ") else { return nil }
    return String(word.dropFirst(7))
  }

  private func session(for name: String) -> Session {
    let session = Session(name: name, token: UUID().uuidString)
    tokens.insert(session.token)
    return session
  }
}
