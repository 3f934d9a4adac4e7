internal import CCurl

/// Decompresses a body, and notices whether its compressed data is complete, which libcurl does not report.
///
/// A body may have several gzip members. Zero bytes may follow the data.
final class BodyDecoder {
  private let isGzip: Bool
  private var hasBegun = false
  /// Whether no compressed data is open; an empty body is complete.
  private(set) var isComplete = true
  /// In memory that does not move, as zlib requires.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 << 10, alignment: 1)

  /// Fails for a coding that is not supported.
  init?(_ coding: String) {
    switch coding.lowercased() {
    case "gzip", "x-gzip": isGzip = true
    case "deflate": isGzip = false
    default: return nil
    }
    stream.initialize(to: z_stream())
  }

  deinit {
    if hasBegun { inflateEnd(stream) }
    stream.deallocate()
    output.deallocate()
  }

  /// Decompresses the next part of the body.
  ///
  /// - Parameter receive: Called with each decompressed part. It returns whether it wants the next one.
  /// - Returns: Whether the data is valid, and all of it was wanted.
  func decode(_ part: UnsafeRawBufferPointer, _ receive: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    var rest = part[...]
    while true {
      if isComplete {
        if hasBegun { rest = rest.drop { $0 == 0 } }
        guard let first = rest.first else { return true }
        guard begin(first) else { return false }
      }
      guard let status = inflate(UnsafeRawBufferPointer(rebasing: rest), receive) else { return false }
      isComplete = status == Z_STREAM_END
      guard isComplete else { return true }
      rest = rest.suffix(Int(stream.pointee.avail_in))
    }
  }

  private func begin(_ first: UInt8) -> Bool {
    if hasBegun { return isGzip && inflateReset(stream) == Z_OK }
    // Many servers send deflated data without the zlib header, whose first byte ends with 8.
    let windowBits: Int32 = isGzip ? 31 : first & 0x0F == 8 ? 15 : -15
    hasBegun = inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    return hasBegun
  }

  /// Returns the status of zlib after all of the input, or after the end of the compressed data.
  private func inflate(_ input: UnsafeRawBufferPointer, _ receive: (UnsafeRawBufferPointer) -> Bool) -> Int32? {
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(input.count)
    while true {
      stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
      stream.pointee.avail_out = UInt32(output.count)
      let status = CCurl.inflate(stream, Z_NO_FLUSH)
      // Without progress, zlib needs more input.
      guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(status) else { return nil }
      let count = output.count - Int(stream.pointee.avail_out)
      if count > 0, !receive(UnsafeRawBufferPointer(rebasing: output[..<count])) { return nil }
      if status != Z_OK || stream.pointee.avail_out > 0 { return status }
    }
  }
}
