/// Why bytes are no request that can be served, and the answer that says so.
struct HTTPRejection: Error, Equatable {
  let status: HTTPStatus
  let reason: String

  init(_ status: HTTPStatus, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  var response: HTTPResponse { .text("Cannot read the request: \(reason).\n", status: status) }
}
