package struct Statement: Sendable {
  /// The name under which each connection prepares it once, or an empty text to send it without preparing it.
  package let name: String
  package let sql: String

  package init(name: String, sql: String) { (self.name, self.sql) = (name, sql) }
}

/// A parameter of a statement, in PostgreSQL's binary format.
package enum Parameter: Sendable {
  case text(String)
  case integer(Int64)
  case flag(Bool)
  case texts([String])
  case integers([Int64?])
  case blobs([[UInt8]])
  case flags([Bool])

  package var type: UInt32 {
    switch self {
    case .text: 25
    case .integer: 20
    case .flag: 16
    case .texts: 1_009
    case .integers: 1_016
    case .blobs: 1_001
    case .flags: 1_000
    }
  }

  package var bytes: [UInt8] {
    switch self {
    case .text(let text): Array(text.utf8)
    case .integer(let number): bigEndian(number)
    case .flag(let flag): [flag ? 1 : 0]
    case .texts(let texts): array(of: 25, texts.map { Array($0.utf8) })
    case .integers(let numbers): array(of: 20, numbers.map { $0.map(bigEndian) })
    case .blobs(let blobs): array(of: 17, blobs)
    case .flags(let flags): array(of: 16, flags.map { [$0 ? 1 : 0] })
    }
  }
}

package struct Row: Sendable {
  let columns: [[UInt8]?]

  package func bytes(_ column: Int) -> [UInt8]? { column < columns.count ? columns[column] : nil }

  package func text(_ column: Int) -> String? { bytes(column).map { String(decoding: $0, as: UTF8.self) } }

  package func integer(_ column: Int) -> Int64? {
    guard let bytes = bytes(column) else { return nil }
    switch bytes.count {
    case 4: return Int64(Int32(truncatingIfNeeded: number(bytes)))
    case 8: return number(bytes)
    default: return nil
    }
  }

  func flag(_ column: Int) -> Bool { bytes(column) == [1] }

  private func number(_ bytes: [UInt8]) -> Int64 { bytes.reduce(0) { $0 << 8 | Int64($1) } }
}

package struct PostgresError: Error, Equatable {
  package enum Effect: Equatable {
    case notSent
    case refused(sqlstate: String)
    /// It was sent, and its answer was lost.
    case unknown
  }

  package let effect: Effect
  package let message: String

  /// Whether the server has ended the statement, without effect, because it waited for another one.
  var isDeadlock: Bool { effect == .refused(sqlstate: "40P01") }
}

private func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
  withUnsafeBytes(of: number.bigEndian) { Array($0) }
}

private func array(of type: Int32, _ elements: [[UInt8]?]) -> [UInt8] {
  let hasNull: Int32 = elements.contains { $0 == nil } ? 1 : 0
  var bytes = bigEndian(Int32(elements.isEmpty ? 0 : 1)) + bigEndian(hasNull) + bigEndian(type)
  if !elements.isEmpty { bytes += bigEndian(Int32(elements.count)) + bigEndian(Int32(1)) }
  for element in elements {
    bytes += bigEndian(element.map { Int32($0.count) } ?? -1)
    bytes += element ?? []
  }
  return bytes
}
