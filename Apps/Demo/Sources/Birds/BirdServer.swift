internal import Foundation
internal import Loopback

/// The built-in server: a list of birds and their pictures, from the bundled files.
enum BirdServer {
  /// Serves the list at `GET /birds` and a picture at `GET /pictures/:file`.
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
