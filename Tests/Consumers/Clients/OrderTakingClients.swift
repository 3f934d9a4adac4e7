// A client of `OrderTakingClients`: a taker over a real server.

import Foundation
import Futures
import OrderTaking
import OrderTakingClients

struct Tour: Codable, Sendable { var stops: Int }

func taker(at base: URL, token: String, login: @escaping @Sendable () -> Future<String, HTTPError>)
  -> OrderTaker<String, Tour>
{
  OrderTaker(
    httpClient: .live(at: base, token: TokenSource(token, refresh: login)) { data in
      try JSONDecoder().decode(Tour.self, from: data)
    })
}
