// A client of `OrderTakingClients`: an order taker for a real server and its push channel.

import Foundation
import Futures
import OrderTaking
import OrderTakingClients

struct Tour: Codable, Sendable { var stops: Int }

func taker(at base: URL, token: String, login: @escaping @Sendable () -> Future<String, HTTPError>)
  -> OrderTaker<String, Tour>
{
  let token = TokenSource(token, refresh: login)
  var configuration = PushConfiguration()
  configuration.reconnect = .exponential(from: .seconds(1), atMost: .seconds(60))
  return OrderTaker(
    httpClient: .live(at: base, over: .urlSession(.shared), token: token) { data in
      try JSONDecoder().decode(Tour.self, from: data)
    },
    pushClient: .live(at: "push.example", port: 7_001, token: token, configuration: configuration) { notice in
      if case .lost(let reason, _) = notice { print(reason) }
    }, journal: .inMemory())
}
