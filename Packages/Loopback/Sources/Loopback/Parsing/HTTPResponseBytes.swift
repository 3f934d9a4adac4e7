extension HTTPResponse {
  /// The bytes of a response, and how many of them are the head.
  struct Encoded {
    var bytes: [UInt8]
    let headCount: Int
  }

  static let continueBytes = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  /// Puts the response in the form that it has on the wire.
  func encoded(keepAlive: Bool, isHTTP10: Bool, includesBody: Bool) -> Encoded {
    var head = "HTTP/1.1 \(status.code) \(status.phrase)\r\n"
    for field in headers.fields where !Self.isServersBusiness(field.name) {
      head += field.name
      head += ": "
      head += field.value
      head += "\r\n"
    }
    if status.allowsBody { head += "Content-Length: \(body.count)\r\n" }
    if !keepAlive {
      head += "Connection: close\r\n"
    } else if isHTTP10 {
      head += "Connection: keep-alive\r\n"
    }
    head += "\r\n"
    var bytes = Array(head.utf8)
    let headCount = bytes.count
    if includesBody && status.allowsBody { bytes += body }
    return Encoded(bytes: bytes, headCount: headCount)
  }

  private static func isServersBusiness(_ name: String) -> Bool {
    switch name.lowercased() {
    case "content-length", "transfer-encoding", "connection", "keep-alive": true
    default: false
    }
  }
}
