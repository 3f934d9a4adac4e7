// A client of `OrderTakingClients`: an order taker for a real server and its push channel.

import Foundation
import Futures
import FuturesNetworking
import OrderTaking
import OrderTakingClients

struct Tour: Codable, Sendable { var stops: Int }

func taker(
  at base: URL, over streams: StreamClient, token: String, login: @escaping @Sendable () -> Future<String, HTTPError>
)
  -> OrderTaker<String, Tour>
{
  let token = TokenSource(token, refresh: login)
  var configuration = PushConfiguration()
  configuration.reconnect = .exponential(from: .seconds(1), atMost: .seconds(60))
  return OrderTaker(
    httpClient: .live(at: base, over: .urlSession(.shared), token: token) { data in
      try JSONDecoder().decode(Tour.self, from: data)
    },
    pushClient: .live(
      at: StreamAddress(host: "push.example", port: 7_001), over: streams, token: token, configuration: configuration
    ) { notice in
      if case .lost(let reason, _) = notice { print(reason) }
    }, journal: .inMemory())
}
