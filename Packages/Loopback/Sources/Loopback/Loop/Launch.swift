import Foundation

/// Starts a loop's thread, makes a server's core on it, and returns once it listens.
func launch<Core>(
  _: Core.Type,
  _ make: @escaping @Sendable (EventLoop, LoopBound<Core>) throws(LoopbackError) -> (Core, port: Int)
) async throws(LoopbackError) -> (EventLoop, LoopBound<Core>, port: Int) {
  let loop = try EventLoop.launch()
  let handle = LoopBound<Core>(loop)
  // The core holds its own handle.
  loop.whenEnded { handle.bind(nil) }
  let port: Result<Int, LoopbackError> = await withCheckedContinuation { continuation in
    loop.post {
      do throws(LoopbackError) {
        let (core, port) = try make(loop, handle)
        handle.bind(core)
        Thread.current.name = "loopback:\(port)"
        continuation.resume(returning: .success(port))
      } catch {
        continuation.resume(returning: .failure(error))
        loop.end()
      }
    }
  }
  return (loop, handle, try port.get())
}

extension EventLoop {
  /// Returns once the loop has ended.
  func ended() async {
    await withCheckedContinuation { continuation in
      whenEnded { continuation.resume() }
    }
  }
}
