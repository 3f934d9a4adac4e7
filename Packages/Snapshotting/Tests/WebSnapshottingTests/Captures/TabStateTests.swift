import Testing

@testable import WebSnapshotting

@Suite("State of a tab")
struct TabStateTests {
  private func event(_ method: String, _ parameters: JSONValue = [:]) -> BrowserEvent {
    BrowserEvent(method: method, parameters: parameters, session: "S")
  }

  @Test("the state has the script context of each frame")
  func contexts() {
    var state = TabState(mainFrame: "F")
    let made: JSONValue = ["context": ["id": 3, "name": "WebSnapshotting", "auxData": ["frameId": "F"]]]
    _ = state.apply(event("Runtime.executionContextCreated", made))
    _ = state.apply(
      event("Runtime.executionContextCreated", ["context": ["id": 4, "name": "", "auxData": ["frameId": "F"]]]))
    #expect(state.contexts == ["F": 3])
    _ = state.apply(event("Runtime.executionContextDestroyed", ["executionContextId": 3]))
    #expect(state.contexts.isEmpty)
  }

  @Test("a request is in flight from its beginning to its end, and data URLs do not count")
  func requests() {
    var state = TabState(mainFrame: "F")
    _ = state.apply(event("Network.requestWillBeSent", ["requestId": "1", "request": ["url": "http://a/"]]))
    _ = state.apply(event("Network.requestWillBeSent", ["requestId": "2", "request": ["url": "data:,x"]]))
    #expect(state.requests == ["1"])
    _ = state.apply(event("Network.loadingFailed", ["requestId": "1"]))
    #expect(state.requests.isEmpty && state.requestChanges == 2)
  }

  @Test("events close dialogs, report crashes and ask for decisions about requests")
  func effects() {
    var state = TabState(mainFrame: "F")
    #expect(state.apply(event("Page.javascriptDialogOpening")) == .dismissDialog)
    #expect(state.apply(event("Inspector.targetCrashed")) == .fail(.pageCrashed))
    let paused: JSONValue = [
      "requestId": "r", "resourceType": "Document", "frameId": "F", "request": ["url": "http://a/"],
    ]
    #expect(
      state.apply(event("Fetch.requestPaused", paused)) == .decide(request: "r", url: "http://a/", isDocument: true))
  }

  @Test("console messages join values and placeholders")
  func console() {
    let format = { (values: JSONValue...) in ConsoleMessage.format(values) }
    #expect(
      format(
        ["type": "string", "value": "%s has %d%%, %c%o"], ["value": "Tide"], ["value": 5], ["value": ""],
        ["value": true]) == "Tide has 5%, true")
    #expect(format(["value": "a %s"]) == "a %s")
    #expect(
      format(["value": "a"], ["type": "undefined"], ["value": .null], ["unserializableValue": "-0"])
        == "a undefined null -0")
    let preview: JSONValue = [
      "properties": [["name": "a", "type": "string", "value": "x"], ["name": "b", "type": "number", "value": "1"]]
    ]
    #expect(format(["type": "object", "preview": preview]) == "{a: \"x\", b: 1}")
    #expect(
      format([
        "type": "object",
        "preview": [
          "subtype": "array", "overflow": true, "properties": [["name": "0", "type": "number", "value": "1"]],
        ],
      ]) == "[1, …]")
  }

  @Test("an error is shown by its message, and the lines of a message are indented")
  func consoleErrors() {
    let stack = "Error: Tide\n    at http://127.0.0.1:4711/:1:7"
    let error: JSONValue = ["type": "object", "subtype": "error", "description": .string(stack)]
    #expect(ConsoleMessage(called: ["type": "error", "args": [error]]).description == "error: Error: Tide")
    #expect(ConsoleMessage.format([["value": "%o!"], error]) == "Error: Tide!")
    let preview: JSONValue = [
      "properties": [["name": "e", "type": "object", "subtype": "error", "value": .string(stack)]]
    ]
    #expect(ConsoleMessage.format([["type": "object", "preview": preview]]) == "{e: Error: Tide}")
    for newline in ["\n", "\r\n", "\r", "\u{2028}"] {
      #expect(ConsoleMessage(level: "log", text: "a\(newline)uncaught: x").description == "log: a\n  uncaught: x")
    }
  }

  @Test("the number of console messages is limited")
  func longConsole() {
    var state = TabState(mainFrame: "F")
    for _ in 0..<(TabState.consoleLimit + 5) { _ = state.apply(event("Runtime.consoleAPICalled")) }
    #expect(state.console.count == TabState.consoleLimit)
    #expect(state.console.last?.text.contains("Console truncated") == true)
    #expect(state.console.dropLast().allSatisfy { $0.text.isEmpty })
  }

  @Test("the size of console messages is limited")
  func largeConsole() {
    var state = TabState(mainFrame: "F")
    let text = String(repeating: "é", count: 100_000)
    for _ in 0..<100 {
      _ = state.apply(event("Runtime.consoleAPICalled", ["args": [["type": "string", "value": .string(text)]]]))
    }
    let bytes = state.console.reduce(0) { $0 + $1.text.utf8.count }
    #expect(state.console.count == 6 && bytes <= TabState.consoleByteLimit + 200 && bytes > TabState.consoleByteLimit)
    #expect(state.console.last?.text.contains("Console truncated") == true)
    state.clearConsole()
    _ = state.apply(event("Runtime.consoleAPICalled", ["args": [["type": "string", "value": "short"]]]))
    #expect(state.console.map(\.text) == ["short"])
  }

  @Test("a worker starts after its set-up, and is removed at its end")
  func workers() {
    var state = TabState(mainFrame: "F")
    #expect(state.apply(event("Target.attachedToTarget", ["sessionId": "W"])) == .beginWorker("W"))
    #expect(state.apply(event("Target.detachedFromTarget", ["sessionId": "W"])) == .endWorker("W"))
    #expect(state.apply(event("Target.attachedToTarget")) == nil)
  }
}
