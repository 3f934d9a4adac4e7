internal import Foundation
internal import ImageSnapshotting

/// Reads PNG files with a size limit.
enum PictureFile {
  /// The reason why a file cannot be compared, as the rest of a sentence.
  struct Failure: Error {
    let reason: String
  }

  /// The maximum size of a file in bytes.
  ///
  /// A picture within the pixel limit is never larger.
  static let limit = PNGLimits.standard.bytes
  private static let signature = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

  /// Whether the data begins with the PNG signature.
  static func isPicture(_ data: Data) -> Bool { data.starts(with: signature) }

  /// Reads a file or a pipe.
  ///
  /// Stops early if the data does not begin with the PNG signature, and fails if it exceeds the limit.
  static func read(_ path: String) throws(Failure) -> Data {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw unreadable(errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw unreadable(errno) }
    if status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) > limit {
      throw tooLarge("its size is \(status.st_size) bytes")
    }
    var data = Data()
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Foundation.read(file, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(errno) }
      data += chunk[..<count]
      // Data without the PNG signature is not read to its end.
      if count == 0 || data.count >= signature.count && !isPicture(data) { return data }
      guard data.count <= limit else { throw tooLarge("it is too large") }
    }
  }

  private static func tooLarge(_ what: String) -> Failure {
    Failure(reason: "\(what), and the limit is \(limit) bytes. Crop the picture, or reduce its size")
  }

  private static func unreadable(_ code: Int32) -> Failure {
    let nextStep = code == EACCES ? "Check its permissions" : "Specify two PNG files"
    return Failure(reason: "\(String(cString: strerror(code))). \(nextStep)")
  }
}
