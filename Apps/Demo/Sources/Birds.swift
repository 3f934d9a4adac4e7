internal import Arguments
internal import Foundation
internal import Futures
internal import FuturesNetworking
internal import FuturesNetworkingCurl
internal import ImageSnapshotting
internal import Loopback
internal import Terminal

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

struct Bird: Decodable, Sendable {
  var name: String
  var scientificName: String?
  /// The address of the picture, relative to the list.
  var picture: String
}

struct LoadedBird: Sendable {
  let bird: Bird
  let file: Data
  let picture: Image
}

/// The pipeline of Thomas Visser's talk on futures: fetches the list, decodes it, and fetches all pictures concurrently.
struct BirdsLoader: Sendable {
  let server: URL
  /// The time limit of each request.
  let limit: Duration
  private let client = HTTPClient.curl(CurlConfiguration())

  init(_ server: URL, within limit: Duration) {
    self.server = server
    self.limit = limit
  }

  private var list: URL { server.appending(path: "birds") }

  /// Loads all birds with their pictures, in the order of the list; fails with the first error in that order.
  func birds() -> Future<[LoadedBird], DemoError> {
    client.jsonFuture(of: [Bird].self, for: URLRequest(url: list), within: HTTPLimits(whole: limit))
      .mapError(immediateExecutionContext) { error in error.kind == .cancelled ? .interrupted : DemoError("\(error)") }
      .flatMap(immediateExecutionContext) { birds in birds.map(load).sequence() }
  }

  private func load(_ bird: Bird) -> Future<LoadedBird, DemoError> {
    guard let url = URL(string: bird.picture, relativeTo: list)?.absoluteURL else {
      return Future(
        error: DemoError("The address of the picture of the \(bird.name) is invalid.", next: "Correct the list."))
    }
    let request = URLRequest(url: url)
    return client.dataFuture(for: request, within: HTTPLimits(whole: limit))
      .flatMapResult(immediateExecutionContext) { data, response -> Result<Data, NetworkError> in
        response.statusCode == 200
          ? .success(data) : .failure(NetworkError(.badStatus, request: request, statusCode: response.statusCode))
      }
      .mapError(immediateExecutionContext) { error in
        error.kind == .cancelled
          ? .interrupted : DemoError("Cannot load the picture of the \(bird.name).", next: "\(error)")
      }
      .flatMapResult(immediateExecutionContext) { file in
        // The limit of 64 MiB protects against malicious files.
        Result { () throws(PNGError) in try Image(png: file, maximumPixels: 16 << 20) }
          .map { LoadedBird(bird: bird, file: file, picture: $0) }
          .mapError { DemoError("Cannot decode the picture \(url.absoluteString) of the \(bird.name).", next: "\($0)") }
      }
  }
}

/// The embedded server of `demo birds`: `GET /birds` for the list, and `GET /pictures/:file` for a picture.
enum BirdServer {
  static func router() throws -> Router {
    let list = try BundledFiles.data("Birds/birds.json")
    return Router {
      Route(.get, "/birds") { _ in .bytes(list, contentType: "application/json") }
      Route(.get, "/pictures/:file") { request in
        let file = request.parameters["file"] ?? ""
        guard let picture = try? BundledFiles.data("Birds/\(file)") else { return HTTPResponse(.notFound) }
        return .bytes(picture, contentType: "image/png")
      }
    }
  }
}

/// `demo birds`: loads the birds and prints them.
struct BirdsCommand: DemoCommand {
  let server: ServerAddress?
  let limit: Duration

  static let declaration = Command<any DemoCommand>(
    "birds",
    abstract: "Load a list of birds and their pictures over HTTP, and show them.",
    discussion: """
      Without --server, the command starts an embedded server with eight birds. The command requests the list at /birds, \
      then all pictures at the same time.
      """,
    examples: [
      CommandExample("demo birds", "Show the birds of the embedded server."),
      CommandExample("demo birds --server http://127.0.0.1:8080", "Use another server."),
    ],
    output: { (server: ServerAddress?, limit: Seconds) in
      BirdsCommand(server: server, limit: limit.duration)
    }
  ) {
    CommonOptions.server
    Option<Seconds>(
      "timeout", default: Seconds(10), valueName: "seconds", help: "Time limit for each request.")
  }

  func run() async throws -> ExitCode {
    guard let server else {
      return try await HTTPServer.start(BirdServer.router()).use { try await show(from: $0.url) }
    }
    return try await show(from: server.url)
  }

  private func show(from server: URL) async throws -> ExitCode {
    let clock = ContinuousClock()
    let start = clock.now
    let birds = try await BirdsLoader(server, within: limit).birds().value(orCancelled: .interrupted)
    let time = start.duration(to: clock.now)
    let device = TerminalDevice.standardOutput
    let color = device.colorCapability()
    let columns = device.isTerminal ? device.size().columns : nil
    if color != .none { try device.write(Self.gallery(birds, columns: columns ?? 80, color: color)) }
    let bytes = birds.reduce(0) { $0 + $1.file.count }
    let summary =
      "\(birds.count) \(birds.count == 1 ? "bird" : "birds"), \(bytes) bytes of pictures, "
      + "\(Int(time / .milliseconds(1))) ms, from \(server.absoluteString)"
    try Output().lines(Self.table(birds, width: columns) + [""] + summary.wrapped(toColumns: columns ?? .max))
    return .success
  }

  private static func table(_ birds: [LoadedBird], width: Int?) -> [String] {
    TextTable(
      [
        .init("Name"), .init("Scientific name"), .init("Picture", alignment: .right), .init("Bytes", alignment: .right),
      ],
      rows: birds.map { loaded in
        [
          loaded.bird.name, loaded.bird.scientificName ?? "", "\(loaded.picture.width)×\(loaded.picture.height)",
          "\(loaded.file.count)",
        ]
      }
    ).lines(width: width)
  }

  /// Returns the pictures side by side with their names, as many in a row as fit.
  static func gallery(_ birds: [LoadedBird], columns available: Int, color: ColorCapability) -> String {
    let (columns, rows, gap) = (30, 11, 2)
    let perRow = max((available + gap) / (columns + gap), 1)
    return stride(from: 0, to: birds.count, by: perRow).map { first in
      let row = birds[first..<min(first + perRow, birds.count)]
      var screen = Screen(columns: row.count * (columns + gap) - gap, rows: rows + 1)
      for (place, loaded) in row.enumerated() {
        let left = place * (columns + gap)
        draw(loaded.picture, columns: columns, rows: rows, at: left, on: &screen)
        let name = loaded.bird.name.truncated(toColumns: columns)
        screen.write(name, at: Position(column: left, row: rows), style: .bold)
      }
      return screen.styledText(color: color) + "\n\n"
    }.joined()
  }

  /// Draws a picture as large as fits, with an upper and a lower pixel in each cell.
  private static func draw(_ image: Image, columns: Int, rows: Int, at left: Int, on screen: inout Screen) {
    let scale = min(Double(columns) / Double(image.width), Double(2 * rows) / Double(image.height))
    let width = max(Int((Double(image.width) * scale).rounded()), 1)
    let height = max(Int((Double(image.height) * scale / 2).rounded()), 1)
    guard let small = image.resized(width: width, height: 2 * height) else { return }
    let color = { (column: Int, row: Int) -> Color in
      guard let pixel = small[column, row], pixel.alpha >= 128 else { return .default }
      return .rgb(pixel.red, pixel.green, pixel.blue)
    }
    for row in 0..<height {
      for column in 0..<width {
        let (upper, lower) = (color(column, 2 * row), color(column, 2 * row + 1))
        let (block, style) =
          upper == .default
          ? (lower == .default ? " " : "▄", Style(foreground: lower))
          : ("▀", Style(foreground: upper, background: lower))
        screen.write(block, at: Position(column: left + column, row: row), style: style)
      }
    }
  }
}
