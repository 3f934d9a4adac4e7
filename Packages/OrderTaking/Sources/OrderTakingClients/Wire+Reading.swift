internal import Foundation
internal import FuturesNetworking
internal import OrderTaking

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

// What is made of the bytes that come back, whoever sent them.

extension Wire {
  /// The longest body that is looked into for an answer or an error.
  static let longestBody = 65_536

  /// How many characters of the server's words are kept, so that a log stays readable and a journal small.
  private static let longestReason = 1_000
  private static let longestWord = 100

  private struct AnswerBody: Decodable {
    let result: String
    let reason: String?
  }

  private struct ErrorBody: Decodable {
    let decline_reason: String?
    let error: String?
  }

  static func answer(_ data: Data) throws(HTTPError) -> TakingAnswer {
    guard data.count <= longestBody else { throw unreadable("a taking of \(data.count) bytes") }
    let body: AnswerBody
    do { body = try JSONDecoder().decode(AnswerBody.self, from: data) } catch { throw unreadable("a taking") }
    switch body.result {
    case "accepted": return .accepted
    case "processing": return .processing
    case "declined": return .declined(cut(body.reason ?? "no reason given", longestReason))
    default: throw unreadable("a taking whose result is \"\(cut(body.result, 40))\"")
    }
  }

  /// A success that says nothing that is understood: the server may have done anything.
  static func unreadable(_ what: String) -> HTTPError {
    HTTPError(.transport(mayHaveReachedServer: true), message: "cannot read \(what)")
  }

  static func error(_ response: HTTPURLResponse, _ data: Data) -> HTTPError {
    let body = data.count <= longestBody ? try? JSONDecoder().decode(ErrorBody.self, from: data) : nil
    return HTTPError(
      .status(response.statusCode), declineReason: body?.decline_reason.map { cut($0, longestReason) },
      retryAfter: retryAfter(
        response.value(forHTTPHeaderField: "Retry-After"), at: response.value(forHTTPHeaderField: "Date")),
      problem: body?.error.map { HTTPError.Problem(rawValue: cut($0, longestWord)) })
  }

  /// How long the server asks to be left alone, at most a day.
  ///
  /// A date counts from the answer's own `Date`, so that only the server's clock matters, and is not heeded without one:
  /// whose clock is right, nobody knows.
  static func retryAfter(_ value: String?, at date: String?) -> Duration? {
    guard let value = value?.trimmingCharacters(in: .whitespaces), !value.isEmpty else { return nil }
    let seconds: Int64
    if value.utf8.allSatisfy({ (48...57).contains($0) }) {
      seconds = Int64(value) ?? .max
    } else if let then = HTTPDate.seconds(value), let now = date.flatMap(HTTPDate.seconds) {
      seconds = then - now
    } else {
      return nil
    }
    return .seconds(min(max(seconds, 0), 86_400))
  }

  static func error(_ error: NetworkError, hiding url: URL) -> HTTPError {
    let message = withoutPassword(error.description, of: url)
    switch error.kind {
    case .cannotConnect, .cannotFindHost, .badURL:
      return HTTPError(.transport(mayHaveReachedServer: false), message: message)
    case .timedOut: return HTTPError(.timedOut, message: message)
    default: return HTTPError(.transport(mayHaveReachedServer: true), message: message)
    }
  }

  /// A text without the user and the password that a URL in it names.
  private static func withoutPassword(_ text: String, of url: URL) -> String {
    guard url.user != nil || url.password != nil else { return text }
    let name = url.absoluteString
    guard let start = name.range(of: "://"), let end = name.range(of: "@") else { return text }
    return text.replacingOccurrences(of: name[start.upperBound..<end.upperBound], with: "")
  }

  /// The beginning of a text, in one line.
  private static func cut(_ text: String, _ length: Int) -> String {
    String(
      String.UnicodeScalarView(text.unicodeScalars.prefix(length).map { $0.value < 32 || $0.value == 127 ? " " : $0 }))
  }
}
