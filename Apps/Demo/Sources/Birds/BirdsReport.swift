internal import Foundation
internal import Terminal

/// The printed reports about birds, as pure functions.
enum BirdsReport {
  /// A line for each bird: the names, the picture's size in pixels and in bytes, and the load time.
  static func table(_ birds: [LoadedBird], width: Int?) -> [String] {
    let hasScientificNames = birds.contains { $0.bird.scientificName != nil }
    return TextTable(
      [.init("Name")] + (hasScientificNames ? [.init("Scientific name")] : []) + [
        .init("Picture", alignment: .right), .init("Bytes", alignment: .right), .init("Time", alignment: .right),
      ],
      rows: birds.map { loaded in
        [loaded.bird.name] + (hasScientificNames ? [loaded.bird.scientificName ?? ""] : []) + [
          "\(loaded.width)×\(loaded.height)", "\(loaded.file.count)", milliseconds(loaded.time),
        ]
      }
    ).lines(width: width)
  }

  /// The number of birds, the size of all pictures and the total time, in lines of at most `width` columns.
  static func summary(_ birds: [LoadedBird], time: Duration, from list: URL, width: Int?) -> [String] {
    let bytes = birds.reduce(0) { $0 + $1.file.count }
    let text =
      "\(birds.count) \(birds.count == 1 ? "bird" : "birds"), \(bytes) bytes of pictures, "
      + "\(milliseconds(time)) in all, from \(list.withoutSecrets)"
    return width.map { text.wrapped(toColumns: $0) } ?? [text]
  }

  /// A line of JSON for each bird: {name, scientificName, picture: {url, width, height, bytes, milliseconds}}.
  static func json(_ birds: [LoadedBird]) -> [String] {
    struct Entry: Encodable {
      struct Picture: Encodable { let url: String, width: Int, height: Int, bytes: Int, milliseconds: Double }
      let name: String, scientificName: String?, picture: Picture
    }
    return birds.map { loaded in
      jsonLine(
        Entry(
          name: loaded.bird.name, scientificName: loaded.bird.scientificName,
          picture: .init(
            url: loaded.bird.picture.absoluteString, width: loaded.width, height: loaded.height,
            bytes: loaded.file.count, milliseconds: (loaded.time / .milliseconds(1) * 10).rounded() / 10)))
    }
  }

  private static func milliseconds(_ duration: Duration) -> String {
    let tenths = Int((duration / .milliseconds(1) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}
