import Foundation
import LoopbackTesting
import OrderTaking
import Testing

@testable import OrderTakingServer

@Suite("The documentation of the protocol", .timeLimit(.minutes(5))) struct ProtocolTests {
  static let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "../../Sources/OrderTakingClients/OrderTakingClients.docc/Protocol.md")

  enum Step: Equatable {
    case request([String])
    case answer(String)
    case send(channel: String, String)
    case receive(channel: String, String)
  }

  static func steps() throws -> [Step] {
    var steps: [Step] = []
    var request: [String] = []
    var isExample = false
    for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isExample = line == "```example"
      } else if isExample, line == ">" || line.hasPrefix("> ") {
        request.append(String(line.dropFirst(2)))
      } else if isExample, line.hasPrefix("< ") {
        steps += [.request(request), .answer(String(line.dropFirst(2)))]
        request = []
      } else if isExample, let mark = line.firstIndex(where: { "<>".contains($0) }) {
        let (channel, text) = (String(line[..<mark]), String(line[line.index(mark, offsetBy: 2)...]))
        steps.append(line[mark] == ">" ? .send(channel: channel, text) : .receive(channel: channel, text))
      }
    }
    return steps
  }

  @Test("a real server responds like each example of the protocol") func examples() async throws {
    var configuration = OrderServer.Configuration(
      orders: [
        OfferedOrder("7", details: #"{"stops":2}"#), OfferedOrder("8", decidedAfter: .seconds(3_600)),
        OfferedOrder("9", verdict: .decline(reason: "order_cancelled")),
      ], tokens: ["ann-token": "ann", "bob-token": "bob"])
    // A heartbeat must not come between the lines of an example.
    configuration.heartbeat = .seconds(3_600)
    let store = OrderStore(load: { OrderStore.Contents(epoch: "example") }, save: { _, _ in })
    let server = try await OrderServer.start(configuration, store, timers: .dispatch())
    var sockets: [String: RawClient] = [:]
    var answer = ""
    let steps = try Self.steps()
    #expect(steps.count > 40)
    for step in steps {
      switch step {
      case .request(let lines): answer = try await send(lines, to: server)
      case .answer(let expected): #expect(answer == expected)
      case .send(let channel, let line):
        let socket = try sockets[channel] ?? RawClient(port: server.pushPort)
        sockets[channel] = socket
        await socket.send(line + "\n")
      case .receive(let channel, let line): #expect(await sockets[channel]?.readLine() == line)
      }
    }
    await server.close(grace: .zero)
  }

  private func send(_ lines: [String], to server: OrderServer) async throws -> String {
    let head = lines.prefix { !$0.isEmpty }
    let body = lines.dropFirst(head.count + 1).joined(separator: "\n")
    let text = try await RawClient.response(head[0], fields: Array(head.dropFirst()), body: body, from: server)
    let status = text.split(separator: " ").dropFirst().first ?? ""
    return status + " " + (text.components(separatedBy: "\r\n\r\n").dropFirst().first ?? "")
  }
}
