import Futures
import Testing

@Suite("Example in the README")
struct ReadmeTests: Sendable {
  enum BirdError: Error { case unknown(String) }

  func weight(of bird: String) -> Future<Int, BirdError> {
    bird == "puffin" ? Future(value: 500) : Future(error: .unknown(bird))
  }

  @Test("the README's example prints the weight of a bird")
  func example() async {
    let printed: String = await withCheckedContinuation { continuation in
      let promise = Promise<String, BirdError>()
      promise.future
        .flatMap { bird in weight(of: bird) }
        .onSuccess { grams in continuation.resume(returning: "\(grams) g") }
        .onFailure { error in continuation.resume(returning: "\(error)") }
      promise.success("puffin")
    }
    #expect(printed == "500 g")
  }
}
