internal import Foundation
internal import ImageSnapshotting

/// A PNG file that is read no further than it has to be.
enum PictureFile {
  /// Why a file is not a picture to compare, as the rest of a sentence.
  struct Failure: Error {
    let reason: String
  }

  /// The most bytes of a file: no picture within the limit of its pixels takes more.
  static let limit = PNGLimits.standard.bytes
  private static let signature = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

  /// Whether bytes begin as those of a PNG file do.
  static func isPicture(_ data: Data) -> Bool { data.starts(with: signature) }

  /// The bytes of a file, or of a pipe, that begins as a PNG file does.
  ///
  /// What is too large by its size is not read, and what does not begin like a picture, or has no end, only at its beginning.
  static func read(_ path: String) throws(Failure) -> Data {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Failure(reason: "\(message(errno)). Name two PNG files") }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw Failure(reason: "\(message(errno)). Name two PNG files") }
    if status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) > limit {
      throw tooLarge("it has \(status.st_size) bytes")
    }
    var data = Data()
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Foundation.read(file, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure(reason: "\(message(errno)). Name two PNG files") }
      data += chunk[..<count]
      // Whether it is a picture at all shows at once, and then an end is worth waiting for.
      if count == 0 || data.count >= signature.count && !isPicture(data) { return data }
      guard data.count <= limit else { throw tooLarge("it goes on after \(limit) bytes") }
    }
  }

  private static func tooLarge(_ what: String) -> Failure {
    Failure(reason: "\(what), and a picture to compare has \(limit) at most. Crop it, or make it smaller")
  }

  private static func message(_ code: Int32) -> String { String(cString: strerror(code)) }
}
