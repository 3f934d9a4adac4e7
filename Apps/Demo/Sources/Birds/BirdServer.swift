internal import Foundation
internal import Loopback

/// The embedded server of `demo birds`: a list of birds and their pictures, from the bundled files.
enum BirdServer {
  /// Serves the list at `GET /birds` and a picture at `GET /pictures/:file`.
  ///
  /// Reads all files first: a process that runs out of descriptors later must not answer with 404.
  ///
  /// - Throws: ``BirdsError`` if a file cannot be read.
  static func router() throws(BirdsError) -> Router {
    let list = try bytes(of: "birds.json")
    var pictures: [String: [UInt8]] = [:]
    for bird in try Bird.decode(Data(list), from: folder.appending(path: "birds.json")).get() {
      let name = bird.picture.lastPathComponent
      pictures[name] = try bytes(of: name)
    }
    return Router { [pictures] in
      Route(.get, "/birds") { _ in HTTPResponse.bytes(list, contentType: "application/json") }
      Route(.get, "/pictures/:file") { request in
        guard let bytes = request.parameters["file"].flatMap({ pictures[$0] }) else { return HTTPResponse(.notFound) }
        return HTTPResponse.bytes(bytes, contentType: "image/png")
      }
    }
  }

  private static var folder: URL { Bundle.module.bundleURL.appending(path: "Birds") }

  private static func bytes(of name: String) throws(BirdsError) -> [UInt8] {
    do { return Array(try Data(contentsOf: folder.appending(path: name))) } catch { throw .noBundledFile(error) }
  }
}
