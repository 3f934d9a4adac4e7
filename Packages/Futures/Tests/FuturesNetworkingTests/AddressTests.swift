import Foundation
import Futures
import FuturesNetworking
import LoopbackTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Addresses of requests")
struct AddressTests {
  @Test("the scheme of a URL can be in capital letters")
  func scheme() async throws {
    let server = try ScriptedServer(.reply("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"))
    let url = try #require(URL(string: "HTTP://127.0.0.1:\(server.port)/birds?name=Puffin"))
    _ = try await URLSession(configuration: .ephemeral).dataFuture(with: url, within: .seconds(60)).get()
    #expect(await server.nextHead().hasPrefix("GET /birds?name=Puffin "))
  }

  #if canImport(FoundationNetworking)
    @Test("on Linux, a request to an IPv6 address fails with a message that suggests the host name")
    func ipv6() async throws {
      let url = try #require(URL(string: "http://[::1]:9/"))
      let error = await #expect(throws: NetworkError.self) {
        try await URLSession(configuration: .ephemeral).dataFuture(with: url).get()
      }
      #expect(error?.description.contains("loads no IPv6 addresses. Use the host name") == true)
    }
  #endif
}
