internal import Foundation
internal import Futures
public import FuturesNetworking

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension HTTPClient {
  /// Returns a client that uses libcurl.
  ///
  /// It reuses connections, supports HTTP/2 over TLS, and uses the proxies of the environment (`http_proxy`, `https_proxy`,
  /// `no_proxy`). It decompresses bodies, stores no cookies, and caches nothing. Invalid responses cause an error. A header of more
  /// than 64 KiB is too large. A request with a stream as its body fails as invalid.
  ///
  /// All requests use one thread, which ends after the client has been released and its requests have ended. On this thread, parts of
  /// bodies are passed and futures complete; cancelled ones complete on the cancelling thread. A function that is called in the immediate
  /// context must not block, because it delays all requests of the client and their time limits. If it waits for another request of the
  /// client, it waits forever.
  ///
  /// Repetition: if a reused connection turns out to be closed, libcurl sends the request again. Methods that are not idempotent,
  /// such as POST, use a new connection, so that they are sent at most once.
  ///
  /// Truncation: a body that ends before its declared length or its last chunk is an error. A body without both ends
  /// with its connection, and libcurl does not check whether that end is authentic. Send a length if a truncated body
  /// would be dangerous.
  public static func curl(_ configuration: CurlConfiguration = CurlConfiguration()) -> HTTPClient {
    let owner = ThreadOwner(CurlThread(configuration))
    return HTTPClient { request, limits, receive in
      if let error = unsendable(request) ?? unsendableBody(of: request) { return Future(error: error) }
      let promise = Promise<HTTPResponseHead, NetworkError>()
      let exchange = CurlExchange(request, limits, receive) { promise.tryComplete($0) }
      promise.onCancel {
        promise.tryFailure(NetworkError(.cancelled, request: request))
        owner.thread.cancel(exchange)
      }
      owner.thread.start(exchange)
      return promise.future
    }
  }
}

final class ThreadOwner: Sendable {
  let thread: CurlThread
  init(_ thread: CurlThread) { self.thread = thread }
  deinit { thread.close() }
}

private func unsendableBody(of request: URLRequest) -> NetworkError? {
  guard request.httpBodyStream != nil else { return nil }
  return NetworkError(
    .invalidRequest, request: request, reason: "the body is a stream, which libcurl cannot send here. Use httpBody")
}
