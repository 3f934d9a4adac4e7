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
    guard let word = request.headers["Authorization"], word.hasPrefix("Bearer ") else { return false }
    return lock.withLock { tokens.contains(String(word.dropFirst(7))) }
  }

  private func session(for name: String) -> Session {
    let session = Session(name: name, token: UUID().uuidString)
    tokens.insert(session.token)
    return session
  }
}
