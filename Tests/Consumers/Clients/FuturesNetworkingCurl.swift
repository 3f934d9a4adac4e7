// A client of `FuturesNetworkingCurl`.

import Foundation
import Futures
import FuturesNetworking
import FuturesNetworkingCurl

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

func client(trusting authority: String) -> HTTPClient {
  var configuration = CurlConfiguration()
  configuration.certificateAuthorities = authority
  return .curl(configuration)
}

func size(of url: URL, using client: HTTPClient) -> Future<Int, NetworkError> {
  let limits = HTTPLimits(connecting: .seconds(2), whole: .seconds(5), bodyBytes: 1 << 20)
  return client.dataFuture(for: URLRequest(url: url), within: limits).map { data, _ in data.count }
}
