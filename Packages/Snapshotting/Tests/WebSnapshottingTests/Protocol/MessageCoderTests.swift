import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("Messages of the pipe")
struct MessageCoderTests {
  @Test("commands are numbered from 1, and end with a zero byte")
  func commands() throws {
    var coder = MessageCoder()
    let first = coder.encode(Command("Page.enable"), session: nil)
    let second = coder.encode(Command("Page.navigate", ["url": "about:blank"]), session: "S")
    #expect(first.id == 1 && second.id == 2)
    #expect(String(decoding: first.bytes, as: UTF8.self) == #"{"id":1,"method":"Page.enable","params":{}}"# + "\0")
    #expect(
      String(decoding: second.bytes, as: UTF8.self)
        == #"{"id":2,"method":"Page.navigate","params":{"url":"about:blank"},"sessionId":"S"}"# + "\0")
  }

  @Test("replies match their commands in any order and with any division of the bytes")
  func cuts() throws {
    let output =
      #"{"id":2,"result":{"a":1}}"# + "\0" + #"{"method":"M","params":{"p":"\u0000é"},"sessionId":"S"}"# + "\0"
      + #"{"id":1,"error":{"code":-32000,"message":"No"}}"# + "\0"
    let expected: [BrowserMessage] = [
      .reply(id: 2, .success(["a": 1])),
      .event(BrowserEvent(method: "M", parameters: ["p": "\0é"], session: "S")),
      .reply(id: 1, .failure(RefusedCommand(method: "A", code: -32000, message: "No"))),
    ]
    let bytes = Array(output.utf8)
    try checkProperty("cuts change nothing", Generator<Int>.int(in: 0...bytes.count).array(count: 0...8)) { cuts in
      var coder = MessageCoder()
      _ = coder.encode(Command("A"), session: nil)
      _ = coder.encode(Command("B"), session: nil)
      let bounds = [0] + cuts.sorted() + [bytes.count]
      let messages = zip(bounds, bounds.dropFirst()).flatMap { coder.decode(bytes[$0..<$1]) }
      return messages == expected && coder.openCommands.isEmpty
    }
  }

  @Test(
    "output after an invalid message is ignored",
    arguments: [
      "hello", "{\"id\":7,\"result\":{}}", "{\"id\":0,\"result\":{}}", "{\"id\":1}", "{}", "[]", "{\"id\":\"1\"}", "",
      "{\"id\":1.5,\"result\":{}}", "{\"method\":3}",
    ])
  func invalid(_ text: String) {
    var coder = MessageCoder()
    _ = coder.encode(Command("A"), session: nil)
    let messages = coder.decode(Array("\(text)\0{\"id\":1,\"result\":{}}\0".utf8))
    #expect(messages.count == 1)
    #expect(messages.allSatisfy { if case .invalid = $0 { true } else { false } })
    #expect(coder.decode(Array("{\"method\":\"M\"}\0".utf8)).isEmpty)
  }

  @Test("a message above the size limit is invalid")
  func endless() {
    var coder = MessageCoder(messageLimit: 1_000)
    #expect(coder.decode([UInt8](repeating: 65, count: 1_000)).isEmpty)
    #expect(coder.decode([65]) == [.invalid("a message of more than 1000 bytes")])
  }

  @Test("random bytes never trap, and at most the last message is invalid")
  func fuzz() throws {
    let valid = Array(
      (#"{"id":1,"result":{"data":"aGk=","list":[1,2.5,null,true]}}"# + "\0"
        + #"{"method":"Runtime.consoleAPICalled","params":{"type":"log","args":[{"type":"string","value":"\ud83d"}]}}"#
        + "\0").utf8)
    let change = Generator.zip(Generator<Int>.int(in: 0...(valid.count - 1)), Generator<Int>.int(in: 0...255))
    try checkProperty("it survives", count: 3_000, change.array(count: 1...6)) { changes in
      var bytes = valid
      for (place, byte) in changes { bytes[place] = UInt8(byte) }
      var coder = MessageCoder()
      var state = TabState(mainFrame: "F")
      _ = coder.encode(Command("A"), session: nil)
      let messages = coder.decode(bytes)
      for case .event(let event) in messages { _ = state.apply(event) }
      return !messages.dropLast().contains { if case .invalid = $0 { true } else { false } }
    }
  }
}
