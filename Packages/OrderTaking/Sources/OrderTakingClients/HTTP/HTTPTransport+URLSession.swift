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
  /// Returns a transport that uses a URL session with its settings.
  ///
  /// On Linux, the cancellation of a request closes its connection only if the session has no cache (`configuration.urlCache = nil`).
  /// Otherwise the request continues until its response or its timeout, because Foundation can stop the process.
  public static func urlSession(_ session: URLSession) -> HTTPTransport {
    HTTPTransport { request in
      var urlRequest = URLRequest(url: request.url)
      urlRequest.httpMethod = request.method
      urlRequest.httpBody = request.body.map { Data($0) }
      for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
      let promise = Promise<Response, HTTPError>()
      let exchange = session.dataFuture(for: urlRequest)
      promise.onCancel { exchange.cancel() }
      exchange.onComplete(immediateExecutionContext) { result in promise.complete(Self.response(result)) }
      return promise.future
    }
  }

  private static func response(_ result: Result<(Data, HTTPURLResponse), NetworkError>) -> Result<Response, HTTPError> {
    switch result {
    case .failure(let error): return .failure(HTTPError(error))
    case .success(let (data, response)):
      return .success(
        Response(
          status: response.statusCode, retryAfter: response.value(forHTTPHeaderField: "Retry-After"),
          date: response.value(forHTTPHeaderField: "Date"), body: data))
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
