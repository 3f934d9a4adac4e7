// A client of `FuturesNetworking`.

import Foundation
import Futures
import FuturesNetworking

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

func size(of url: URL) -> Future<Int, NetworkError> {
  URLSession.shared.dataFuture(with: url, within: .seconds(5)).map { data, _ in data.count }
}

func names(at url: URL) -> Future<[String], NetworkError> {
  URLSession.shared.jsonFuture(of: [String].self, with: url, within: .seconds(5))
}

func isTransient(_ error: NetworkError) -> Bool {
  error.kind == .timedOut || error.kind == .connectionLost
}
