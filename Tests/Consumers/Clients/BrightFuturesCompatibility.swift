// A client of `BrightFuturesCompatibility`.

import BrightFuturesCompatibility
import Dispatch

enum BirdError: Error { case unknown }

func load(_ completion: @escaping @Sendable (Int?, BirdError?) -> Void) { completion(1, nil) }

func birds(_ token: InvalidationToken) -> Future<Int, BirdError> {
  let first: Future<Int, BirdError> = materialize { load($0) }
  return first.debug("birds").delay(.seconds(1)).onSuccess(token.validContext) { print($0) }
}

func counted(_ birds: Async<Result<Int, BirdError>>) -> Future<Int, Never> {
  birds.map { $0 + 1 }.recover { _ in 0 }
}

func checked() -> Int? {
  PromiseChecker.reporting(to: { print($0) }) {
    DispatchQueue.global().asyncValue { 1 }.forced(.now() + 1)?.value
  }
}
