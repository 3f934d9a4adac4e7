public import Foundation
public import Futures

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSession {
  /// Starts an HTTP request, requires a status of 2xx, and returns a future of the decoded JSON body.
  ///
  /// ```swift
  /// URLSession.shared.jsonFuture(of: [Bird].self, with: url, within: .seconds(5))
  ///   .onSuccess { birds in show(birds) }
  ///   .onFailure { error in print(error) }
  /// // Cannot GET http://127.0.0.1:8080/birds: the body is not the expected JSON: `name` is missing at [2]. …
  /// ```
  ///
  /// It handles redirects, authentication and cancellation like `dataFuture`.
  ///
  /// - Returns: A future of the value, or of a ``NetworkError``: ``NetworkError/Kind/badStatus`` for another status,
  ///   ``NetworkError/Kind/invalidJSON`` for another body.
  public func jsonFuture<Value: Decodable & Sendable>(
    of type: Value.Type,
    for request: URLRequest,
    within limit: Duration? = nil,
    on clock: any Clock<Duration> = ContinuousClock(),
    decoder: JSONDecoder = JSONDecoder()
  ) -> Future<Value, NetworkError> {
    dataFuture(for: request, within: limit, on: clock).flatMap(immediateExecutionContext) { data, response in
      decoded(data, response.statusCode, of: request, using: decoder)
    }
  }

  /// Starts a GET request for a URL, requires a status of 2xx, and returns a future of the decoded JSON body.
  ///
  /// Like `jsonFuture(of:for:)`.
  public func jsonFuture<Value: Decodable & Sendable>(
    of type: Value.Type,
    with url: URL,
    within limit: Duration? = nil,
    on clock: any Clock<Duration> = ContinuousClock(),
    decoder: JSONDecoder = JSONDecoder()
  ) -> Future<Value, NetworkError> {
    jsonFuture(of: type, for: URLRequest(url: url), within: limit, on: clock, decoder: decoder)
  }
}

func decoded<Value: Decodable>(
  _ data: Data, _ status: Int, of request: URLRequest, using decoder: JSONDecoder
) -> Result<Value, NetworkError> {
  guard (200..<300).contains(status) else {
    return .failure(NetworkError(.badStatus, request: request, statusCode: status))
  }
  return Result { try decoder.decode(Value.self, from: data) }.mapError { error in
    NetworkError(.invalidJSON, request: request, statusCode: status, jsonProblem: jsonProblem(error, in: data))
  }
}

/// Returns the problem of a body and its place, such as "`name` is missing at [2].bird".
private func jsonProblem(_ error: any Error, in data: Data) -> String {
  switch error {
  case _ where data.isEmpty: "it is empty"
  case DecodingError.keyNotFound(let key, let context): "`\(key.stringValue)` is missing at \(path(context))"
  case DecodingError.valueNotFound(let type, let context):
    "the value at \(path(context)) is null or missing instead of \(name(type))"
  case DecodingError.typeMismatch(let type, let context): "the value at \(path(context)) is not \(name(type))"
  case DecodingError.dataCorrupted(let context): corruption(context)
  default: "\(error)"
  }
}

private func corruption(_ context: DecodingError.Context) -> String {
  var text = context.debugDescription
  if text.hasSuffix(".") { text.removeLast() }
  text = text.prefix(1).lowercased() + text.dropFirst()
  return context.codingPath.isEmpty ? text : "\(text) at \(path(context))"
}

private func name(_ type: any Any.Type) -> String {
  switch type {
  case is [String: Any].Type: "an object"
  case is [Any].Type: "an array"
  default: "a \(type)"
  }
}

private func path(_ context: DecodingError.Context) -> String {
  let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
  return path.isEmpty ? "the top level" : path.hasPrefix(".") ? String(path.dropFirst()) : path
}
