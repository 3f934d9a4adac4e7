internal import Foundation
internal import OrderTaking

/// Needs neither the schema nor the trees of the file, because each row has a checksum.
struct Salvage {
  private(set) var rows: [StoredRow] = []
  /// The orders of rows with a wrong checksum.
  private(set) var lostOrders: [String] = []
  private(set) var count: Int?
  private(set) var origin: String?
  private(set) var loss: JournalRecovery?
  private(set) var hasLoss = false

  init(of file: [UInt8], with log: WriteAheadLog?) {
    var places: [Int: Range<Int>] = [:]
    for frame in log?.readableFrames ?? [] where frame.isValid { places[frame.page] = frame.content }
    func page(_ number: Int) -> [UInt8]? {
      if let log, let place = places[number] { return Array(log.bytes[place]) }
      let end = number * Page.size
      guard number > 0, end - Page.size < file.count else { return nil }
      // The rest of a page that was cut off is zero.
      let bytes = Array(file[end - Page.size..<min(end, file.count)])
      return bytes + Array(repeating: 0, count: Page.size - bytes.count)
    }
    let numbers = Set(places.keys).union(1...file.count / Page.size + 1).sorted()
    var found: [OrderKey<String>: StoredRow] = [:]
    var wrong: Set<OrderKey<String>> = []
    for number in numbers {
      guard let bytes = page(number) else { continue }
      let leaf = Page(bytes, isFirst: number == 1)
      for (id, values) in leaf.rows(ofAtMost: numbers.count * Page.size, continuedOn: page) {
        switch values.count {
        case 8, 11:
          if let row = StoredRow(values[1...6] + (values[8...] + [.null, .null, .null]).prefix(3) + [values[7]]) {
            // An earlier row of the order may be left on a free page.
            let key = OrderKey(row.order)
            found[key] = found[key].map { $0.begunAt > row.begunAt ? $0 : row } ?? row
          } else if case .text(let order) = values[1], case .text = values[2] {
            wrong.insert(OrderKey(order))
          }
        case 2, 3, 4:
          if id == 1, leaf.hasOneRow, case .integer(let number) = values[1] {
            // The number has no checksum. No journal has more than a trillion records.
            if 0...1_000_000_000_000 ~= number { count = Int(clamping: number) }
            hasLoss = values.count == 4 && values[3] != .integer(0)
          }
          if id == 1, let name = Note.origin.text(in: values) { origin = name }
          if id == 2, let report = Note.loss.text(in: values) { loss = JournalRecovery(encoded: report) }
        default: break
        }
      }
    }
    rows = found.values.sorted { ($0.begunAt, $0.order) < ($1.begunAt, $1.order) }
    lostOrders = wrong.subtracting(found.keys).map(\.order).sorted()
  }
}
