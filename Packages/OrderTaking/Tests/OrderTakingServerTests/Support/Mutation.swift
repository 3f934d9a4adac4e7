import Foundation
import TestSupport

struct Mutation {
  private var numbers: SeededGenerator

  init(seed: UInt64) { numbers = SeededGenerator(seed: seed) }

  mutating func bytes(from samples: [String]) -> [UInt8] {
    var bytes = Array(samples[Int.random(in: 0..<samples.count, using: &numbers)].utf8)
    for _ in 0..<Int.random(in: 0...6, using: &numbers) {
      let place = Int.random(in: 0...bytes.count, using: &numbers)
      let end = Int.random(in: place...bytes.count, using: &numbers)
      switch Int.random(in: 0..<8, using: &numbers) {
      case 0 where place < bytes.count: bytes[place] = .random(in: .min ... .max, using: &numbers)
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 3: bytes.insert(.random(in: .min ... .max, using: &numbers), at: place)
      case 4: bytes.removeLast(bytes.count - end)
      case 5:
        let piece = Array(bytes[place..<min(end, place + 8)])
        for _ in 0..<Int.random(in: 0...400, using: &numbers) { bytes.insert(contentsOf: piece, at: place) }
      case 6:
        bytes.insert(contentsOf: Self.nasty[Int.random(in: 0..<Self.nasty.count, using: &numbers)].utf8, at: place)
      default: bytes.reverse()
      }
      if bytes.count > 40_000 { bytes.removeLast(bytes.count - 40_000) }
    }
    return bytes
  }

  mutating func chance() -> Double { .random(in: 0..<1, using: &numbers) }

  /// Returns the bytes in random pieces, as a network delivers them.
  mutating func pieces(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var rest = bytes[...]
    var pieces: [ArraySlice<UInt8>] = []
    while !rest.isEmpty {
      let count = Int.random(in: 1...rest.count, using: &numbers)
      pieces.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return pieces
  }

  private static let nasty = [
    "\u{0}", "\r\n\r\n", "\n", "%00", "%2F..", "18446744073709551615", "18446744073709551616", "-1", "1e999", "NaN",
    "{",
    "[", "\"", "\\u0000", "\\ud800", "é\u{301}", "null", "Content-Length: 99999999999999999999\r\n",
    "Transfer-Encoding: chunked\r\n", "Content-Length: -1\r\n", "FFFFFFFFFFFFFFFFFF\r\n",
    "Retry-After: 99999999999999999\r\n",
  ]
}

func residentMemory() -> Int? {
  guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
  return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
}
