// A client of `Parallel` as new code writes it: no opt-out in either language mode.

import Dispatch
import Parallel

/// A value that is not `Sendable`: each run makes its own.
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

  // The closures belong to the main actor because this function does, and may touch its state.
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
