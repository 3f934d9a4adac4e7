/// Why a line connection ended.
public struct LineCloseReason: Sendable, Hashable, CustomStringConvertible {
  private enum Reason: Sendable, Hashable {
    case client, server, stop
    case lineTooLong(Int)
    case slowReader(Int)
    case idle(Duration)
    case failed(String)
  }

  private let reason: Reason

  /// The client closed its side, and everything for it has been sent.
  public static let closedByClient = Self(reason: .client)
  /// The handler closed the connection.
  public static let closedByServer = Self(reason: .server)
  /// The server was stopped.
  public static let serverStopped = Self(reason: .stop)
  /// A line had more bytes than ``LoopbackLimits/lineBytes``.
  public static func lineTooLong(limit: Int) -> Self { Self(reason: .lineTooLong(limit)) }
  /// More bytes than ``LoopbackLimits/writeBacklogBytes`` waited for the client to read them.
  public static func slowReader(limit: Int) -> Self { Self(reason: .slowReader(limit)) }
  /// No line was completed and nothing was sent for ``LoopbackLimits/idleTimeout``.
  public static func idle(_ timeout: Duration) -> Self { Self(reason: .idle(timeout)) }
  /// The connection broke; the system's words for it are given.
  public static func failed(_ cause: String) -> Self { Self(reason: .failed(cause)) }

  /// The reason in a sentence.
  public var description: String {
    switch reason {
    case .client: "The client closed the connection"
    case .server: "The server's handler closed the connection"
    case .stop: "The server stopped"
    case .lineTooLong(let limit): "A line exceeded the limit of \(limit) bytes"
    case .slowReader(let limit): "The client left more than \(limit) bytes unread"
    case .idle(let timeout): "No complete line was received and nothing was sent for \(timeout)"
    case .failed(let cause): "The connection failed: \(cause)"
    }
  }
}
