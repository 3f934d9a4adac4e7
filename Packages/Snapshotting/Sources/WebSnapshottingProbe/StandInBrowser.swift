internal import Foundation
internal import TestSupport

/// A fake browser that replies correctly, except for random errors.
///
/// The name of the program configures it, because the arguments are those of a browser. `stand-in-7-42` spoils one reply in 7, with the
/// seed 42. `stand-in-dead-2` spoils none, and the processes of its first two tabs have crashed.
struct StandInBrowser {
  private let rarity: UInt64
  private var numbers: SeededGenerator
  private var deadTabs: Int
  private var lastName = 0

  init?(program: String) {
    let parts = (program as NSString).lastPathComponent.split(separator: "-")
    guard parts.count == 4, parts[0] == "stand", parts[1] == "in", let seed = UInt64(parts[3]),
      let rarity = parts[2] == "dead" ? .max : UInt64(parts[2]), rarity > 0
    else { return nil }
    (self.rarity, numbers) = (rarity, SeededGenerator(seed: seed))
    deadTabs = parts[2] == "dead" ? Int(seed) : 0
  }

  mutating func run() {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(3, &chunk, chunk.count)
      guard count > 0 else { return }
      bytes += chunk[..<count]
      while let end = bytes.firstIndex(of: 0) {
        answer(Data(bytes[..<end]))
        bytes.removeFirst(end + 1)
      }
    }
  }

  private mutating func answer(_ command: Data) {
    guard let command = (try? JSONSerialization.jsonObject(with: command)) as? [String: Any],
      let id = command["id"] as? Int, let method = command["method"] as? String
    else { exit(1) }
    let session = command["sessionId"] as? String
    if session?.hasPrefix("dead") == true {
      if method == "Inspector.enable" { write(message(["method": "Inspector.targetCrashed"], session)) }
      return
    }
    let answer = message(["id": id, "result": result(of: method)], session)
    // The handshake is always correct.
    if id > 1, chance(rarity) == 0 { spoil(answer, id: id, session) } else { write(answer) }
    for event in events(after: method) { write(message(event, session)) }
  }

  private mutating func sessionName() -> String {
    deadTabs -= 1
    return deadTabs >= 0 ? "dead\(lastName)" : "S\(lastName)"
  }

  private mutating func result(of method: String) -> [String: Any] {
    lastName += 1
    return switch method {
    case "Target.createBrowserContext": ["browserContextId": "C\(lastName)"]
    case "Target.createTarget": ["targetId": "F"]
    case "Target.attachToTarget": ["sessionId": sessionName()]
    case "Page.addScriptToEvaluateOnNewDocument": ["identifier": "\(lastName)"]
    case "Runtime.callFunctionOn": ["result": ["value": true]]
    case "Page.captureScreenshot": ["data": "UHVmZmlu"]
    default: [:]
    }
  }

  private func events(after method: String) -> [[String: Any]] {
    let context: [String: Any] = ["id": 1, "name": "WebSnapshotting", "auxData": ["frameId": "F"]]
    let created: [String: Any] = ["method": "Runtime.executionContextCreated", "params": ["context": context]]
    let load: [String: Any] = ["method": "Page.loadEventFired", "params": [:] as [String: Any]]
    return switch method {
    case "Page.addScriptToEvaluateOnNewDocument": [created]
    case "Page.setDocumentContent": [load]
    case "Page.navigate": [["method": "Runtime.executionContextsCleared"], created, load]
    default: []
    }
  }

  private mutating func spoil(_ answer: [UInt8], id: Int, _ session: String?) {
    switch chance(13) {
    case 0: write(answer.map { $0 == UInt8(ascii: ":") ? UInt8(ascii: ";") : $0 })
    case 1: write(message(["id": id + 1_000_000, "result": [:] as [String: Any]], session))
    case 2: write(answer + answer)
    case 3:
      write(Array(answer.prefix(answer.count / 2)))
      exit(1)
    case 4: write(message(["id": id, "result": ["data": String(repeating: "A", count: 4 << 20)]], session))
    case 5: write(message(["id": id, "result": [1, "a"]], session))
    case 6: write(message(["id": id], session))
    case 7:
      write(message(["method": "Page.loadEventFired"], "unknown session"))
      write(answer)
    case 8: write(message(["id": id, "error": ["code": "a", "message": 7]], session))
    case 9: write((0..<chance(400)).map { _ in UInt8(truncatingIfNeeded: chance(256)) } + [0])
    case 10:
      FileHandle.standardError.write(Data("out of luck\n".utf8))
      exit(1)
    case 11:
      for method in [
        "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Fetch.requestPaused", "Page.frameNavigated",
      ] {
        write(
          message(
            ["method": method, "params": ["args": 3, "frame": [], "requestId": ["a"]] as [String: Any]], session))
      }
      write(answer)
    default: for byte in answer { write([byte]) }
    }
  }

  private func message(_ members: [String: Any], _ session: String?) -> [UInt8] {
    let all = session.map { members.merging(["sessionId": $0]) { $1 } } ?? members
    return Array((try? JSONSerialization.data(withJSONObject: all)) ?? Data()) + [0]
  }

  private func write(_ bytes: [UInt8]) {
    var offset = 0
    while offset < bytes.count {
      let count = bytes[offset...].withUnsafeBytes { Foundation.write(4, $0.baseAddress, $0.count) }
      guard count > 0 else { exit(1) }
      offset += count
    }
  }

  private mutating func chance(_ limit: UInt64) -> UInt64 { numbers.next() % limit }
}
