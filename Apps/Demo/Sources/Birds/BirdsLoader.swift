internal import Foundation
internal import Futures
internal import FuturesNetworking
internal import ImageSnapshotting
internal import Terminal

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A bird with its picture.
struct LoadedBird: Sendable {
  let bird: Bird
  let width: Int
  let height: Int
  /// The picture in cells, for the gallery.
  let thumbnail: Screen
  let file: Data
  /// The time from the request to the end of the response.
  let time: Duration
}

/// The pipeline of Thomas Visser's talk on futures: fetches the list, decodes it, and fetches all
/// pictures concurrently.
struct BirdsLoader: Sendable {
  let requests: RequestSession
  /// The time limit of each request, including the wait for a connection.
  let limit: Duration
  let color: ColorCapability
  /// Returns the time since a fixed instant.
  let time: @Sendable () -> Duration
  /// Called once with the number of birds.
  let onList: @Sendable (Int) -> Void
  /// Called after each picture.
  let onPicture: @Sendable (LoadedBird) -> Void

  /// Loads all birds with their pictures, in the order of the list.
  ///
  /// Fails with the first error in that order.
  func birds(at list: URL) -> Future<[LoadedBird], BirdsError> {
    fetch(list, from: "given with --server")
      .flatMap(immediateExecutionContext) { data in Bird.decode(data, from: list) }
      .onSuccess(immediateExecutionContext) { birds in onList(birds.count) }
      .map(immediateExecutionContext) { birds in birds.map(load) }
      .flatMap(immediateExecutionContext) { birds in birds.sequence() }
  }

  private func load(_ bird: Bird) -> Future<LoadedBird, BirdsError> {
    let start = time()
    return fetch(bird.picture, from: "of the picture in the list")
      .mapError(immediateExecutionContext) { error in .picture(of: bird, because: error) }
      .flatMap(immediateExecutionContext) { file in
        Self.picture(in: file)
          .mapError { error in BirdsError.unreadablePicture(of: bird, because: error) }
          .map { picture in
            LoadedBird(
              bird: bird, width: picture.width, height: picture.height,
              thumbnail: Self.thumbnail(of: picture, in: color), file: file, time: time() - start)
          }
      }
      .onSuccess(immediateExecutionContext, callback: onPicture)
  }

  /// Decodes a picture of at most 64 MiB of pixels.
  ///
  /// The limit protects against malicious files.
  static func picture(in file: Data) -> Result<Image, PNGError> {
    Result { () throws(PNGError) in try Image(png: file, limits: PNGLimits(bytes: 64 << 20)) }
  }

  private static func thumbnail(of image: Image, in color: ColorCapability) -> Screen {
    let picture = Picture(width: image.width, height: image.height, pixels: image.pixels)
    return picture?.screen(columns: Gallery.columns, rows: Gallery.rows, color: color) ?? Screen(columns: 0, rows: 0)
  }

  private func fetch(_ url: URL, from origin: String) -> Future<Data, BirdsError> {
    requests.ask(for: url, within: limit)
      .flatMap(immediateExecutionContext) { data, response in
        let status = response.statusCode
        return status == 200 ? Result.success(data) : .failure(.status(status, at: url, from: origin))
      }
  }
}
