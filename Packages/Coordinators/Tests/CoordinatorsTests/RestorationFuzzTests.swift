import Foundation
import TestSupport
import Testing

@testable import Coordinators
@testable import CoordinatorsUIKit

/// Restoring any bytes gives a valid navigation, or none, and never traps.
@Suite("Restoring damaged archives")
struct RestorationFuzzTests {
  private static func sample() throws -> Tree {
    try Tree(
      .tabs(
        [.tab("words", .stack([.screen(.b).presenting(.screen(.a))])), .tab("phrases", .screen(.b).owned(by: "a/b"))],
        selected: "phrases"))
  }

  private static func isSound(_ restoration: Restoration<TestScreen>) throws -> Bool {
    guard let tree = restoration.navigation else { return !restoration.losses.isEmpty }
    guard tree.violations.isEmpty else { return false }
    let covered = try tree.applying(.present(.screen(.b), over: tree.front.id))
    let again = Restoration<TestScreen>(archive: try tree.archived())
    return covered.violations.isEmpty && !tree.coordinators.isEmpty && again.navigation?.root == tree.root
      && again.losses.isEmpty
  }

  private static func isSound(_ bytes: Data) throws -> Bool { try isSound(Restoration(archive: bytes)) }

  @Test("an archive with any one flipped bit restores a valid navigation")
  func anyFlippedBit() throws {
    let bytes = try Self.sample().archived()
    for bit in 0..<bytes.count * 8 {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      guard try Self.isSound(damaged) else {
        Issue.record("bit \(bit) of \(String(decoding: bytes, as: UTF8.self))")
        return
      }
    }
  }

  @Test("records with any values restore a valid navigation")
  func recordsWithAnyValues() throws {
    let value = Generator<String>.element(of: [
      "null", "0", "1", "2", "3", "-1", "1e3", "0.5", "9223372036854775807", "9007199254740991", "true", "\"a\"",
      "\"z\"",
      "\"\"", "\"stack\"", "\"tabs\"", "\"screen\"", "[]", "{}", "[[]]", "\"a//b/\"", "\"\\u0000\"",
    ])
    let key = Generator<String>.element(of: ["id", "owner", "kind", "parent", "modal", "tab", "screen", "selected"])
    let kind = Generator<String>.element(of: ["screen", "stack", "tabs"])
    let number = Generator<Int>.int(in: 0...6)
    let record = Generator<((Int, Int, String), [(String, String)])>.zip(
      .zip(number, number, kind), .array(of: .zip(key, value), count: 0...2))
    try checkProperty("any records", count: 500, .array(of: record, count: 0...8)) { records in
      let lines = records.map { numbers, others in
        var fields = [
          "id": "\(numbers.0)", "owner": "\"o\"", "kind": "\"\(numbers.2)\"", "screen": "\"a\"",
          "tab": "\"\(numbers.0)\"",
        ]
        if numbers.0 > 0 { fields["parent"] = "\(numbers.1)" }
        for (key, value) in others { fields[key] = value }
        return "{" + fields.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
      }
      let archive = "navigation 1\n" + lines.map { $0 + "\n" }.joined()
      return try Self.isSound(Data(archive.utf8))
    }
  }

  @Test(
    "half a megabyte of any text restores a valid navigation in linear time", .timeLimit(.minutes(5)),
    arguments: [
      "[", "{\"id\":", "\n", "\0", "é", "\"", "{}\n", "0", "navigation 1\n", "{\"id\":0,\"owner\":\"",
      #"{"id":1,"kind":"stack","owner":"o","parent":0}"# + "\n" + "?\n",
    ])
  func longTextOfAnyKind(unit: String) throws {
    // Decoding a well-formed line takes longer, so the test uses a small part of the size.
    let size = unit.hasPrefix("{") && unit.hasSuffix("\n") ? 20_000 : 500_000
    let long = String(repeating: unit, count: size / unit.utf8.count)
    let root = #"{"id":0,"kind":"stack","owner":"o"}"# + "\n"
    #expect(try Self.isSound(Data(("navigation 1\n" + root + long).utf8)))
  }

  @Test("many stacks and damaged lines are restored in linear time", .timeLimit(.minutes(5)))
  func manyDamagedLinesTakeLinearTime() throws {
    var lines = ["navigation 1", #"{"id":0,"kind":"tabs","owner":"o"}"#]
    for id in stride(from: 1, to: 40_000, by: 2) {
      lines.append(#"{"id":\#(id),"kind":"stack","owner":"o","parent":0,"tab":"\#(id)"}"#)
      lines.append(#"{"id":\#(id + 1),"kind":"screen","owner":"o","parent":\#(id),"screen":"a"}"#)
      lines.append("?")
    }
    let restoration = Restoration<TestScreen>(archive: Data((lines.joined(separator: "\n") + "\n").utf8))
    #expect(restoration.navigation?.root.children.count == 20_000 && restoration.losses.count == 20_000)
  }

  @Test("an identity without room for later identities is out of range")
  func identitiesOutOfRangeAreDropped() throws {
    for id in [Int.max, .max - 1, 1 << 53] {
      let archive = "navigation 1\n" + #"{"id":\#(id),"kind":"screen","owner":"o","screen":"a"}"# + "\n"
      let restoration = Restoration<TestScreen>(archive: Data(archive.utf8))
      #expect(restoration.navigation == nil && restoration.losses.first?.reason == "its identity is out of range")
    }
  }

  @Test("a coordinator nested too deeply is dropped")
  func tooDeepCoordinatorIsDropped() {
    let owner = String(repeating: "a/", count: 5_000)
    let archive = "navigation 1\n" + #"{"id":0,"kind":"screen","owner":"\#(owner)","screen":"a"}"# + "\n"
    let restoration = Restoration<TestScreen>(archive: Data(archive.utf8))
    #expect(restoration.losses.map(\.reason) == ["its coordinator is nested more than 128 levels deep"])
  }
}
