public struct TakingProgress<OrderID: Hashable & Sendable>: Hashable, Sendable {
  public enum Step: Hashable, Sendable {
    case sent(TakingRequest)
    case pausing(Duration)
    case requestedToken
    case noticed(TakingNotice)
    case ended(TakingOutcome)
  }

  public enum Level: Int, Hashable, Sendable, Comparable {
    case debug
    case info
    /// A problem that the operation handles.
    case warning
    /// A problem that needs attention.
    case error

    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  public let order: OrderID
  public let at: Duration
  public let step: Step

  public init(order: OrderID, at: Duration, step: Step) {
    self.order = order
    self.at = at
    self.step = step
  }

  public var level: Level {
    switch step {
    case .pausing, .noticed(.foreignPush): .debug
    case .noticed(.failed), .noticed(.doubtful), .noticed(.late), .requestedToken: .warning
    case .noticed(.contradiction), .noticed(.notPersisted), .ended(.unknown), .ended(.unrecorded): .error
    case .sent, .noticed(.acknowledged), .noticed(.won), .ended: .info
    }
  }

  static func step(_ effect: TakingEffect) -> Step? {
    switch effect {
    case .send(let request): .sent(request)
    case .startTimer(.pause, let duration): .pausing(duration)
    case .refreshToken: .requestedToken
    case .report(let notice): .noticed(notice)
    case .finish(let outcome): .ended(outcome)
    case .abandon, .abandonToken, .startTimer, .stopTimer, .persist, .readRecord: nil
    }
  }
}
