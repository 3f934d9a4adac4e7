internal import Futures
internal import FuturesNetworking
internal import OrderTaking

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension HTTPTransport {
  /// Through a URL session, whose limits of connections and other settings count.
  public static func urlSession(_ session: URLSession) -> HTTPTransport {
    HTTPTransport { request in
      var urlRequest = URLRequest(url: request.url)
      urlRequest.httpMethod = request.method
      urlRequest.httpBody = request.body.map { Data($0) }
      for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
      return session.dataFuture(for: urlRequest)
        .mapError(immediateExecutionContext) { HTTPError($0) }
        .flatMap(immediateExecutionContext) { data, response -> Result<Response, HTTPError> in
          guard let response = response as? HTTPURLResponse else { return .failure(Wire.unreadable("not HTTP")) }
          return .success(
            Response(
              status: response.statusCode, retryAfter: response.value(forHTTPHeaderField: "Retry-After"), body: data))
        }
    }
  }
}

extension HTTPError {
  fileprivate init(_ error: NetworkError) {
    switch error.kind {
    case .cannotConnect, .cannotFindHost, .badURL:
      self.init(.transport(mayHaveReachedServer: false), message: error.description)
    case .timedOut: self.init(.timedOut, message: error.description)
    default: self.init(.transport(mayHaveReachedServer: true), message: error.description)
    }
  }
}
