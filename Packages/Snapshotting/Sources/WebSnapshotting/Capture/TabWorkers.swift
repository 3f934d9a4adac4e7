internal import Foundation

extension Tab {
  /// Lets workers wait at their beginning until this library has been there.
  static let holdingWorkers = Command(
    "Target.setAutoAttach", ["autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true])

  /// Sets the clock of a worker, and those of workers that it begins, and lets it go.
  func begin(_ worker: String, for page: WebPage?) {
    let connection = browser.connection
    note(worker: worker)
    connection.handleEvents(of: worker, onEnd: { _ in }) { [weak self] event in
      switch event.method {
      case "Target.attachedToTarget":
        if let inner = event.parameters["sessionId"]?.string { self?.begin(inner, for: page) }
      case "Target.detachedFromTarget":
        if let inner = event.parameters["sessionId"]?.string { self?.forget(worker: inner) }
      default: break
      }
    }
    connection.post(Self.holdingWorkers.method, Self.holdingWorkers.parameters, session: worker)
    if let now = page?.now {
      connection.post("Runtime.evaluate", ["expression": .string(Scripts.freezing(now))], session: worker)
    }
    connection.post("Runtime.runIfWaitingForDebugger", session: worker)
  }
}
