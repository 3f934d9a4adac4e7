internal import OrderTaking

/// Handles signals for a command that opens resources.
///
/// Create it before opening, and release it after closing.
final class InterruptHandler: Sendable {
  private struct State {
    var wasReceived = false
    var action: @Sendable () -> Void = {}
  }

  private let state: Locked<State>
  private let watch: Interrupt

  init() {
    let state = Locked(State())
    self.state = state
    watch = Interrupt(within: Interrupt.outputTimeLimit) {
      let action = state.withLock { state in
        state.wasReceived = true
        return state.action
      }
      action()
    }
  }

  var wasReceived: Bool { state.withLock { $0.wasReceived } }

  /// Sets the action for the first signal and replaces an earlier action.
  ///
  /// Runs it at once if a signal was already received.
  func atSignal(_ action: @escaping @Sendable () -> Void) {
    let wasReceived = state.withLock { state in
      state.action = action
      return state.wasReceived
    }
    if wasReceived { action() }
  }

  /// Runs work in a task that the first signal cancels.
  ///
  /// - Returns: The result of the work, also if the signal came too late to cancel it.
  /// - Throws: ``Interrupted`` if the work throws after a signal.
  func cancelling<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = Task { try await work() }
    atSignal { task.cancel() }
    defer { atSignal {} }
    do { return try await task.value } catch {
      throw wasReceived ? Interrupted() : error
    }
  }
}

/// A signal ended the command, and there is nothing else to report.
struct Interrupted: Error, CustomStringConvertible {
  let description = "Interrupted."
}
