public import Foundation

extension Snapshotting where Value == Data, Format == Data {
  /// Returns bytes unchanged.
  ///
  /// The reference file has no path extension.
  ///
  /// ```swift
  /// assertSnapshot(of: archive, as: .data)
  /// ```
  public static var data: Snapshotting { Snapshotting(pathExtension: nil, diffing: .data) }
}

extension Diffing where Value == Data {
  /// Compares bytes, and shows the first difference with the bytes around it.
  public static var data: Diffing {
    Diffing(toData: { $0 }, fromData: { $0 }) { old, new in
      guard old != new else { return nil }
      let counts =
        old.count == new.count ? "Expected data to match" : "Expected \(new) to match \(old)"
      let offset = old.withUnsafeBytes { old in
        new.withUnsafeBytes { commonPrefix(old.bindMemory(to: UInt8.self), $0.bindMemory(to: UInt8.self)) }
      }
      let row = offset / 16 * 16
      let window = row..<row + 64
      let difference = Diffing<String>.lines.diff(hexLines(old, in: window), hexLines(new, in: window))
      let message = "\(counts): the first difference is at offset \(offset).\n\n\(difference?.0 ?? "")"
      return (message, difference?.1 ?? [])
    }
  }
}

extension Snapshotting where Value == Data, Format == String {
  /// Shows bytes as rows of sixteen, in hexadecimal and as ASCII, with their offsets.
  ///
  /// ```swift
  /// assertSnapshot(of: packet, as: .hex)
  /// ```
  ///
  /// ```
  /// 00000000  48 65 6c 6c 6f 2c 20 77  6f 72 6c 64 0a           |Hello, world.|
  /// 0000000d
  /// ```
  public static var hex: Snapshotting {
    SimplySnapshotting.lines.pullback { hexLines($0, in: 0..<$0.count) }
  }
}

func hexLines(_ data: Data, in range: Range<Int>) -> String {
  var lines: [String] = []
  for start in stride(from: range.lowerBound, to: min(range.upperBound, data.count), by: 16) {
    let row = Array(data.dropFirst(start).prefix(16))
    let hex = row.map { String($0, radix: 16).leftPadded(to: 2) }
    let halves = [hex.prefix(8), hex.dropFirst(8)].map { $0.joined(separator: " ") }
    let numbers = "\(halves[0])  \(halves[1])"
    let text = row.map { (0x20..<0x7F).contains($0) ? String(UnicodeScalar($0)) : "." }.joined()
    lines.append(
      "\(offsetText(start))  \(numbers)\(String(repeating: " ", count: max(0, 48 - numbers.count)))  |\(text)|")
  }
  if range.upperBound >= data.count { lines.append(offsetText(data.count)) }
  return lines.joined(separator: "\n")
}

private func offsetText(_ offset: Int) -> String { String(offset, radix: 16).leftPadded(to: 8) }
