internal import Foundation
internal import FuturesNetworking
internal import OrderTaking

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

// How responses are read. A response can come from any sender, so it is not trusted.

extension Wire {
  static let longestBody = 65_536

  static let longestDetails = 4 << 20

  /// The maximum number of characters of a server's text, for readable logs and a small journal.
  static let longestReason = 1_000
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
    guard data.count <= longestBody else { throw unreadable("an answer of \(data.count) bytes") }
    let body: AnswerBody
    do { body = try JSONDecoder().decode(AnswerBody.self, from: data) } catch { throw unreadable("the answer") }
    switch body.result {
    case "accepted": return .accepted
    case "processing": return .processing
    case "declined": return .declined(cut(body.reason ?? "no reason given", longestReason))
    default: throw unreadable("an answer with the result \"\(cut(body.result, 40))\"")
    }
  }

  /// The server may have processed the request.
  static func unreadable(_ what: String) -> HTTPError {
    HTTPError(.transport(mayHaveReachedServer: true), message: "cannot read \(what)")
  }

  static func error(_ data: Data, _ response: HTTPResponseHead) -> HTTPError {
    let body = data.count <= longestBody ? try? JSONDecoder().decode(ErrorBody.self, from: data) : nil
    return HTTPError(
      .status(response.statusCode), declineReason: body?.decline_reason.map { cut($0, longestReason) },
      retryAfter: retryAfter(
        response.value(forHTTPHeaderField: "Retry-After"), at: response.value(forHTTPHeaderField: "Date")),
      problem: body?.error.map { HTTPError.Problem(rawValue: cut($0, longestWord)) })
  }

  /// The time in `Retry-After`, at most a day.
  ///
  /// A date is compared with the response's own `Date`, so that only the server's clock matters. Without `Date` it is ignored.
  static func retryAfter(_ value: String?, at date: String?) -> Duration? {
    guard let value = value?.trimmingCharacters(in: .whitespaces), !value.isEmpty else { return nil }
    let seconds: Int64
    if value.utf8.allSatisfy({ (48...57).contains($0) }) {
      seconds = Int64(value) ?? .max
    } else if let then = time(value), let now = date.flatMap(time) {
      seconds = Int64(min(max(then.timeIntervalSince(now), 0), 86_400))
    } else {
      return nil
    }
    return .seconds(min(max(seconds, 0), 86_400))
  }

  /// Returns the time of an HTTP date, for example `Sun, 06 Nov 1994 08:49:37 GMT`.
  ///
  /// Two obsolete forms of RFC 9110 are not supported.
  private static func time(_ date: String) -> Date? {
    guard date.utf8.count <= 40 else { return nil }
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(secondsFromGMT: 0)
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return format.date(from: date)
  }

  /// Returns the beginning of a text in one line, without characters that control a terminal or the direction of text.
  static func cut(_ text: String, _ length: Int) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(length).map { isPlain($0) ? $0 : " " }))
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Control characters of both sets, U+0085 among them; the ends of lines and paragraphs.
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: false
    // Marks, embeddings, overrides and isolates of bidirectional text.
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: false
    default: true
    }
  }
}

extension HTTPError {
  init(_ error: NetworkError) {
    switch error.kind {
    case .secureConnectionFailed where !error.mayHaveReachedServer: self.init(.insecure, message: error.description)
    case .badURL, .invalidRequest: self.init(.invalidRequest, message: error.description)
    case .timedOut where error.mayHaveReachedServer: self.init(.timedOut, message: error.description)
    default:
      self.init(.transport(mayHaveReachedServer: error.mayHaveReachedServer), message: error.description)
    }
  }
}
