struct HTTPRejection: Error, Equatable {
  let status: HTTPStatus
  let reason: String

  /// A line that does not end in a carriage return and a line feed.
  ///
  /// Another parser of the same bytes may see a longer line here, and so another request.
  static let bareLineFeed = Self(status: 400, reason: "a line ends in a line feed without a carriage return")

  var response: HTTPResponse { .text("Cannot read the request: \(reason). \(nextStep)\n", status: status) }

  private var nextStep: String {
    switch status.code {
    case 413, 414, 431: "Send less, or raise the server's limit."
    case 417: "Send the request without Expect."
    case 421: "Use 127.0.0.1 or localhost."
    default: "Correct the request."
    }
  }
}
