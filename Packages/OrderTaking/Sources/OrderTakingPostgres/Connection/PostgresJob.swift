internal import Futures

struct PostgresJob: Sendable {
  let statement: Statement
  let parameters: [Parameter]
  let deadline: ContinuousClock.Instant
  private let promise = Promise<[Row], PostgresError>()

  init(_ statement: Statement, _ parameters: [Parameter], deadline: ContinuousClock.Instant) {
    self.statement = statement
    self.parameters = parameters
    self.deadline = deadline
  }

  var future: Future<[Row], PostgresError> { promise.future }

  func complete(_ result: Result<[Row], PostgresError>) { promise.complete(result) }
}
