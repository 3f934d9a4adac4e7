import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("The conversation on the pipe")
struct PipeConversationTests {
  @Test("Commands are numbered from 1, and end in a byte of zero")
  func commands() throws {
    var conversation = PipeConversation()
    let first = conversation.command("Page.enable", [:], session: nil)
    let second = conversation.command("Page.navigate", ["url": "about:blank"], session: "S")
    #expect(first.id == 1 && second.id == 2)
    #expect(String(decoding: first.bytes, as: UTF8.self) == #"{"id":1,"method":"Page.enable","params":{}}"# + "\0")
    #expect(
      String(decoding: second.bytes, as: UTF8.self)
        == #"{"id":2,"method":"Page.navigate","params":{"url":"about:blank"},"sessionId":"S"}"# + "\0")
  }

  @Test("Replies go to their commands, in whichever order they come, and wherever the bytes are cut")
  func cuts() throws {
    let said =
      #"{"id":2,"result":{"a":1}}"# + "\0" + #"{"method":"M","params":{"p":"\u0000é"},"sessionId":"S"}"# + "\0"
      + #"{"id":1,"error":{"code":-32000,"message":"No"}}"# + "\0"
    let expected: [BrowserMessage] = [
      .reply(id: 2, .success(["a": 1])),
      .event(BrowserEvent(method: "M", parameters: ["p": "\0é"], session: "S")),
      .reply(id: 1, .failure(RefusedCommand(method: "A", code: -32000, message: "No"))),
    ]
    let bytes = Array(said.utf8)
    try checkProperty("cuts change nothing", Generator<Int>.int(in: 0...bytes.count).array(count: 0...8)) { cuts in
      var conversation = PipeConversation()
      _ = conversation.command("A", [:], session: nil)
      _ = conversation.command("B", [:], session: nil)
      let bounds = [0] + cuts.sorted() + [bytes.count]
      let messages = zip(bounds, bounds.dropFirst()).flatMap { conversation.receive(bytes[$0..<$1]) }
      return messages == expected && conversation.openCommands.isEmpty
    }
  }

  @Test("The reply to a command that was given up is dropped, and so is a second reply")
  func givenUp() {
    var conversation = PipeConversation()
    _ = conversation.command("A", [:], session: nil)
    conversation.giveUp(1)
    #expect(conversation.receive(Array("{\"id\":1,\"result\":{}}\0".utf8)) == [])
  }

  @Test(
    "What no browser sends is nonsense, and nothing after it is understood",
    arguments: [
      "hello", "{\"id\":7,\"result\":{}}", "{\"id\":0,\"result\":{}}", "{\"id\":1}", "{}", "[]", "{\"id\":\"1\"}", "",
      "{\"id\":1.5,\"result\":{}}", "{\"method\":3}",
    ])
  func nonsense(_ text: String) {
    var conversation = PipeConversation()
    _ = conversation.command("A", [:], session: nil)
    let messages = conversation.receive(Array("\(text)\0{\"id\":1,\"result\":{}}\0".utf8))
    #expect(messages.count == 1)
    #expect(messages.allSatisfy { if case .nonsense = $0 { true } else { false } })
    #expect(conversation.receive(Array("{\"method\":\"M\"}\0".utf8)).isEmpty)
  }

  @Test("A message without end is nonsense before it has used up the memory")
  func endless() {
    var conversation = PipeConversation(messageLimit: 1_000)
    #expect(conversation.receive([UInt8](repeating: 65, count: 1_000)).isEmpty)
    #expect(conversation.receive([65]) == [.nonsense("a message of more than 1000 bytes")])
  }

  @Test("Bytes at random, and messages with bytes changed, make no trap, and at most one nonsense, which is last")
  func fuzz() throws {
    let valid = Array(
      (#"{"id":1,"result":{"data":"aGk=","list":[1,2.5,null,true]}}"# + "\0"
        + #"{"method":"Runtime.consoleAPICalled","params":{"type":"log","args":[{"type":"string","value":"\ud83d"}]}}"#
        + "\0").utf8)
    let change = Generator.zip(Generator<Int>.int(in: 0...(valid.count - 1)), Generator<Int>.int(in: 0...255))
    try checkProperty("it survives", count: 3_000, change.array(count: 1...6)) { changes in
      var bytes = valid
      for (place, byte) in changes { bytes[place] = UInt8(byte) }
      var conversation = PipeConversation()
      var state = TabState(mainFrame: "F")
      _ = conversation.command("A", [:], session: nil)
      let messages = conversation.receive(bytes)
      for case .event(let event) in messages { _ = state.apply(event) }
      return !messages.dropLast().contains { if case .nonsense = $0 { true } else { false } }
    }
  }
}
