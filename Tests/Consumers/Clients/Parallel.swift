// New code for `Parallel`, without an opt-out in either language mode.

import Dispatch
import Parallel

/// A value that is not `Sendable`, so each run creates a new one.
final class Picture {
  var name = ""
}

func pictures(_ names: [String]) -> Parallel<[String]> {
  names.traverse { name in Parallel { callback in callback(name + ".png") } }
}

func both() -> Parallel<(String, Int)> {
  zip(Parallel(value: "Puffin"), Parallel { await length() })
}

func handedOver() -> Parallel<Picture> {
  Parallel { callback in callback(Picture()) }
}

func length() async -> Int { 28 }

@MainActor
final class Screen {
  private var title = ""

  // The closures are isolated to the main actor, as this function is.
  func show(_ loading: Parallel<String>) {
    loading.run { self.title = $0 }
  }

  func titles() -> Parallel<String> {
    Parallel { callback in callback(self.title) }
  }
}

func awaited() async throws -> Int {
  try await both().map { $0.1 }.value()
}

func onQueue(_ queue: DispatchQueue) -> Parallel<[String]> {
  race(pictures(["puffin"]), pictures(["swift"])).receive(on: queue)
}
