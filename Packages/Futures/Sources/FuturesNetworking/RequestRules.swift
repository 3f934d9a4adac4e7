#if canImport(FoundationNetworking)
  internal import Foundation
  package import FoundationNetworking
#else
  package import Foundation
#endif

/// Returns the error of a request that must not be sent.
///
/// It has no HTTP address, or a line break that could add a header field or a second request.
package func unsendable(_ request: URLRequest) -> NetworkError? {
  // Without a URL, Foundation ends the process. With a file's URL, it returns a response without a status.
  guard let url = request.url, isHTTP(url) else { return NetworkError(.badURL, request: request) }
  let texts = [request.httpMethod ?? "GET"] + (request.allHTTPHeaderFields ?? [:]).flatMap { [$0, $1] }
  guard !texts.contains(where: { $0.utf8.contains(where: isControl) }) else {
    return NetworkError(
      .invalidRequest, request: request,
      reason: "the method or a header field contains a line break or another control character. Remove it")
  }
  return nil
}

private func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }
