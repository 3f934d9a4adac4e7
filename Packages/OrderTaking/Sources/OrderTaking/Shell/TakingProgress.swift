/// One step of an operation, with its time.
public struct TakingProgress<OrderID: Hashable & Sendable>: Hashable, Sendable {
  /// The kinds of steps.
  public enum Step: Hashable, Sendable {
    /// A request was sent.
    case sent(TakingRequest)
    /// The operation pauses.
    case pausing(Duration)
    /// A fresh token was requested.
    case requestedToken
    /// The operation reported a notice.
    case noticed(TakingNotice)
    /// The operation ended. This is its last step.
    case ended(TakingOutcome)
  }

  /// The importance of a step.
  public enum Level: Int, Hashable, Sendable, Comparable {
    /// Helps to find an error in this library.
    case debug
    /// An expected step.
    case info
    /// A problem that the operation handles.
    case warning
    /// A problem that needs attention.
    case error

    /// Returns whether the left level is less important.
    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// The order.
  public let order: OrderID
  /// The time since 1970.
  public let at: Duration
  /// The step.
  public let step: Step

  /// Creates a step.
  public init(order: OrderID, at: Duration, step: Step) {
    self.order = order
    self.at = at
    self.step = step
  }

  /// The importance of the step.
  public var level: Level {
    switch step {
    case .pausing, .noticed(.foreignPush): .debug
    case .noticed(.failed), .noticed(.doubtful), .noticed(.late), .requestedToken: .warning
    case .noticed(.contradiction), .noticed(.notPersisted), .ended(.unknown), .ended(.unrecorded): .error
    case .sent, .noticed(.acknowledged), .noticed(.won), .ended: .info
    }
  }

  /// Returns the step that logs show for an effect, or `nil` for none.
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
