/// One thing that happened to an operation, and when.
public struct TakingProgress<OrderID: Hashable & Sendable>: Hashable, Sendable {
  /// What happened.
  public enum Happening: Hashable, Sendable {
    /// A request was sent.
    case sent(TakingRequest)
    /// The operation pauses.
    case pausing(Duration)
    /// A fresh token was asked for.
    case askedForToken
    /// Something worth telling.
    case noticed(TakingNotice)
    /// It is over; nothing comes after this.
    case ended(TakingOutcome)
  }

  /// How much it matters.
  public enum Level: Int, Hashable, Sendable, Comparable {
    /// For those who look for an error in this library.
    case debug
    /// What an operation is expected to do.
    case info
    /// What goes wrong and is dealt with.
    case warning
    /// What a person should look at.
    case error

    /// Whether the left level matters less.
    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// Whose operation.
  public let order: OrderID
  /// When, as the time since 1970.
  public let at: Duration
  /// What happened.
  public let happening: Happening

  /// Creates an entry.
  public init(order: OrderID, at: Duration, happening: Happening) {
    self.order = order
    self.at = at
    self.happening = happening
  }

  /// How much it matters.
  public var level: Level {
    switch happening {
    case .pausing, .noticed(.foreignPush): .debug
    case .noticed(.failed), .noticed(.doubtful), .noticed(.late), .askedForToken: .warning
    case .noticed(.contradiction), .noticed(.recordingFailed), .ended(.unknown), .ended(.unrecorded): .error
    case .sent, .noticed(.acknowledged), .noticed(.won), .ended: .info
    }
  }

  /// What an effect looks like from outside, or `nil` when there is nothing to tell.
  static func happening(_ effect: TakingEffect) -> Happening? {
    switch effect {
    case .send(let request): .sent(request)
    case .startTimer(.pause, let duration): .pausing(duration)
    case .refreshToken: .askedForToken
    case .report(let notice): .noticed(notice)
    case .finish(let outcome): .ended(outcome)
    case .abandon, .abandonToken, .startTimer, .stopTimer, .record: nil
    }
  }
}
