internal import OrderTaking

/// Ctrl-C, as a command hears it that opens something: from before that is opened until it is closed, whatever the command does
/// meanwhile.
final class InterruptDesk: Sendable {
  private struct State {
    var hasCome = false
    var action: @Sendable () -> Void = {}
  }

  private let state: Locked<State>
  private let watch: Interrupt

  /// Begins to watch.
  init() {
    let state = Locked(State())
    self.state = state
    watch = Interrupt(within: Interrupt.timeToTell) {
      let action = state.withLock { state in
        state.hasCome = true
        return state.action
      }
      action()
    }
  }

  /// Whether a signal has come.
  var hasCome: Bool { state.withLock { $0.hasCome } }

  /// Has something done at the first signal, instead of what was to be done so far; at once, when that one has come already.
  func atSignal(_ action: @escaping @Sendable () -> Void) {
    let hasCome = state.withLock { state in
      state.action = action
      return state.hasCome
    }
    if hasCome { action() }
  }

  /// Does work in a task that the first signal cancels.
  ///
  /// - Returns: What the work returns, also after a signal that came too late for it.
  /// - Throws: ``Interrupted`` instead of what the work throws once a signal has come.
  func cancelling<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = Task { try await work() }
    atSignal { task.cancel() }
    defer { atSignal {} }
    do { return try await task.value } catch {
      throw hasCome ? Interrupted() : error
    }
  }
}

/// Somebody pressed Ctrl-C, and there is nothing else to say.
struct Interrupted: Error, CustomStringConvertible {
  let description = "Interrupted."
}
