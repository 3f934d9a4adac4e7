internal import Dispatch
internal import Foundation

/// Watches for Ctrl-C: the first one is told to the command, so that it can clean up; a second one ends the process.
final class Interrupt {
  private let source: any DispatchSourceSignal

  /// Begins to watch.
  ///
  /// - Parameter onInterrupt: Called once, on a queue of the system, at the first interrupt.
  init(_ onInterrupt: @escaping @Sendable () -> Void) {
    signal(SIGINT, SIG_IGN)
    source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler {
      signal(SIGINT, SIG_DFL)
      onInterrupt()
    }
    source.resume()
  }

  deinit {
    source.cancel()
  }
}
