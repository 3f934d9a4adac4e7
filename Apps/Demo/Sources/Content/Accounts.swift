internal import Foundation
internal import Loopback

/// The accounts and sessions of the content server, in memory.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class Accounts: @unchecked Sendable {
  private let lock = NSLock()
  private var passwords = ["ayaka": "tulp"]
  private var tokens: Set<String>

  /// Creates the accounts.
  ///
  /// - Parameter sessions: The valid sessions of an earlier run.
  init(sessions: [Session] = []) {
    tokens = Set(sessions.map(\.token))
  }

  func logIn(_ credentials: Credentials) -> Session? {
    lock.withLock { passwords[credentials.name] == credentials.password ? session(for: credentials.name) : nil }
  }

  /// Creates an account; returns `nil` if the name is taken.
  func signUp(_ credentials: Credentials) -> Session? {
    lock.withLock {
      guard passwords[credentials.name] == nil else { return nil }
      passwords[credentials.name] = credentials.password
      return session(for: credentials.name)
    }
  }

  /// Whether a request has a valid session token.
  func hasSession(_ request: HTTPRequest) -> Bool {
    token(of: request).map { token in lock.withLock { tokens.contains(token) } } ?? false
  }

  /// Ends the session of a request.
  ///
  /// Returns whether the token was valid.
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
