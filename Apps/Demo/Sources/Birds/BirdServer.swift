internal import Foundation
internal import Loopback

/// The embedded server: a list of birds and their pictures, from the files that come with the command.
enum BirdServer {
  /// Answers `GET /birds` with the list and `GET /pictures/:file` with a picture.
  static let router = Router {
    Route(.get, "/birds") { _ in try HTTPResponse.bytes(file("birds.json"), contentType: "application/json") }
    Route(.get, "/pictures/:file") { request in
      guard let name = request.parameters["file"], name.hasSuffix(".png"), !name.contains("/"),
        let bytes = try? file(name)
      else { return HTTPResponse(.notFound) }
      return HTTPResponse.bytes(bytes, contentType: "image/png")
    }
  }

  private static func file(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: Bundle.module.bundleURL.appending(path: "Birds").appending(path: name)))
  }
}
