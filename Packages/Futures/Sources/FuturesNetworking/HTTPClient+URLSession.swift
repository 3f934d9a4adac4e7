internal import Futures

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension HTTPClient {
  /// Returns a client that uses a URL session.
  ///
  /// It passes the whole body as one part. `dataFuture` of `URLSession` describes the problems of Foundation on Linux.
  public static func urlSession(_ session: URLSession) -> HTTPClient {
    HTTPClient { request, limits, receive in
      session.dataFuture(for: request, within: limits.whole)
        .flatMap(immediateExecutionContext) { data, response -> Result<HTTPResponseHead, NetworkError> in
          guard data.count <= limits.bodyBytes else {
            return .failure(NetworkError(.tooLarge, request: request, byteLimit: limits.bodyBytes))
          }
          if !data.isEmpty { receive(data) }
          return .success(HTTPResponseHead(response, to: request))
        }
    }
  }
}
