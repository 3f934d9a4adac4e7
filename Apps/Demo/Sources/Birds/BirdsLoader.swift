internal import Foundation
internal import Futures
internal import FuturesNetworking
internal import ImageSnapshotting
internal import Terminal

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A bird with its picture, and what it took to get it.
struct LoadedBird: Sendable {
  let bird: Bird
  /// The picture's size in pixels.
  let width: Int
  let height: Int
  /// The picture in cells, for the gallery; its pixels are not kept.
  let thumbnail: Screen
  /// The picture as it came.
  let file: Data
  /// From asking for the picture to having all of it.
  let time: Duration
}

/// The talk's pipeline: fetch, parse, one request a picture, all of them at the same time.
struct BirdsLoader: Sendable {
  let requests: RequestDesk
  /// How long each request may take, its wait for a connection included.
  let limit: Duration
  /// The colours that pictures are shown in.
  let color: ColorCapability
  /// The time since some fixed instant.
  let time: @Sendable () -> Duration
  /// Called with the number of birds when the list is there.
  let onList: @Sendable (Int) -> Void
  /// Called when a bird's picture is there.
  let onPicture: @Sendable (LoadedBird) -> Void

  /// All birds with their pictures, in the order of the list, or the first error in that order.
  func birds(at list: URL) -> Future<[LoadedBird], BirdsError> {
    fetch(list)
      .flatMap(immediateExecutionContext) { data in Bird.decode(data, from: list) }
      .onSuccess(immediateExecutionContext) { birds in onList(birds.count) }
      .map(immediateExecutionContext) { birds in birds.map(load) }
      .flatMap(immediateExecutionContext) { birds in birds.sequence() }
  }

  private func load(_ bird: Bird) -> Future<LoadedBird, BirdsError> {
    let start = time()
    return fetch(bird.picture)
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

  /// The picture in a file of no more pixels than any bird needs, and of few enough for a hostile one to do no harm.
  static func picture(in file: Data) -> Result<Image, PNGError> {
    Result { () throws(PNGError) in try Image(png: file, limits: PNGLimits(bytes: 64 << 20)) }
  }

  private static func thumbnail(of image: Image, in color: ColorCapability) -> Screen {
    let picture = Picture(width: image.width, height: image.height, pixels: image.pixels)
    return picture?.screen(columns: Gallery.columns, rows: Gallery.rows, color: color) ?? Screen(columns: 0, rows: 0)
  }

  private func fetch(_ url: URL) -> Future<Data, BirdsError> {
    requests.ask(for: url, within: limit)
      .flatMap(immediateExecutionContext) { data, response in
        let status = (response as? HTTPURLResponse)?.statusCode ?? 200
        return status == 200 ? Result.success(data) : .failure(.status(status, at: url))
      }
  }
}
