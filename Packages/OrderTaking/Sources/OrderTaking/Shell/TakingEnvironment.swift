/// `@unchecked Sendable`: `observe` does not change after the first operation, and the other fields are constants.
final class TakingEnvironment: @unchecked Sendable {
  let timers: Timers
  let policy: SharedPolicy
  let isLogged: Bool
  /// Set before the first operation.
  @exclusivity(unchecked) var observe: (@Sendable (TakingPhase, TakingEvent, TakingPhase) -> Void)?

  init(_ timers: Timers, _ policy: TakingPolicy, isLogged: Bool) {
    self.timers = timers
    self.policy = SharedPolicy(policy)
    self.isLogged = isLogged
  }
}

/// One policy for many operations, because a policy is much larger than a reference.
final class SharedPolicy: Sendable {
  let value: TakingPolicy

  init(_ value: TakingPolicy) { self.value = value }
}
