/// Source: the file format of SQLite, *B-tree pages* and *record format*.
struct Page {
  /// The size of a page, SQLite's default.
  static let size = 4_096
  /// The place of the sync count on the first page: SQLite's *application ID*, which journals use as a number.
  static let syncCount = 68
  static let magic = Array("SQLite format 3\0".utf8)

  let bytes: [UInt8]
  private let header: Int

  init(_ bytes: [UInt8], isFirst: Bool) {
    self.bytes = bytes
    header = isFirst ? 100 : 0
  }

  var hasOneRow: Bool { bytes[header] == 13 && bytes.short(header + 3) == 1 }

  /// Returns the rows that can be read if it is a leaf of a table.
  ///
  /// For another kind of page, the result is meaningless, but it never traps.
  func rows(ofAtMost limit: Int, continuedOn page: (Int) -> [UInt8]?) -> [(id: Int64, values: [Database.Value])] {
    let count = min(bytes.short(header + 3), (Page.size - header - 8) / 2)
    return (0..<count).compactMap { index in
      var place = bytes.short(header + 8 + 2 * index)
      guard let size = bytes.varint(&place), let id = bytes.varint(&place), (1...Int64(limit)).contains(size),
        let payload = payload(Int(size), at: place, page), let values = Self.values(payload)
      else { return nil }
      return (id, values)
    }
  }

  private func payload(_ size: Int, at place: Int, _ page: (Int) -> [UInt8]?) -> [UInt8]? {
    var local = size
    if size > Page.size - 35 {
      let least = (Page.size - 12) * 32 / 255 - 23
      local = least + (size - least) % (Page.size - 4)
      if local > Page.size - 35 { local = least }
    }
    guard place + local <= bytes.count else { return nil }
    var payload = Array(bytes[place..<place + local])
    guard local < size else { return payload }
    guard place + local + 4 <= bytes.count else { return nil }
    var next = Int(bytes.word(place + local))
    while payload.count < size {
      guard let more = page(next) else { return nil }
      payload += more[4..<min(Page.size, 4 + size - payload.count)]
      next = Int(more.word(0))
    }
    return payload
  }

  private static func values(_ record: [UInt8]) -> [Database.Value]? {
    var place = 0
    guard let size = record.varint(&place), (1...Int64(record.count)).contains(size) else { return nil }
    var content = Int(size)
    var values: [Database.Value] = []
    while place < Int(size) {
      guard let type = record.varint(&place), (0...2_000_000_000).contains(type) else { return nil }
      let length = type >= 12 ? (Int(type) - 12) / 2 : [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0][Int(type)]
      guard content + length <= record.count else { return nil }
      let bytes = record[content..<content + length]
      content += length
      switch type {
      case 0: values.append(.null)
      // The first bit is the sign.
      case 1...6:
        values.append(.integer(bytes.reduce(bytes.first.map { $0 > 127 ? -1 : 0 } ?? 0) { $0 << 8 | Int64($1) }))
      case 8, 9: values.append(.integer(type - 8))
      case 12... where type % 2 == 0: values.append(.blob(Array(bytes)))
      case 13...: values.append(.text(String(decoding: bytes, as: UTF8.self)))
      default: return nil
      }
    }
    return values
  }
}

extension [UInt8] {
  func short(_ place: Int) -> Int { Int(self[place]) << 8 | Int(self[place + 1]) }

  func word(_ place: Int) -> UInt32 { self[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) } }

  fileprivate func varint(_ place: inout Int) -> Int64? {
    var number: Int64 = 0
    for index in 0..<9 {
      guard place < count else { return nil }
      let byte = self[place]
      place += 1
      if index == 8 { return number << 8 | Int64(byte) }
      number = number << 7 | Int64(byte & 0x7F)
      if byte < 128 { break }
    }
    return number
  }
}
