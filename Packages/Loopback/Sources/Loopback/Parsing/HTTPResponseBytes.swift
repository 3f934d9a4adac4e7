extension HTTPResponse {
  static let continueBytes = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  func encoded(keepAlive: Bool, isHTTP10: Bool, includesBody: Bool) -> (bytes: [UInt8], headCount: Int) {
    var head = "HTTP/1.1 \(status.code) \(status.phrase)\r\n"
    let reserved = ["content-length", "transfer-encoding", "connection", "keep-alive"]
    for field in headers.fields where !reserved.contains(field.name.lowercased()) {
      head += "\(field.name): \(field.value)\r\n"
    }
    if status.allowsBody { head += "Content-Length: \(body.count)\r\n" }
    if !keepAlive {
      head += "Connection: close\r\n"
    } else if isHTTP10 {
      head += "Connection: keep-alive\r\n"
    }
    let bytes = Array((head + "\r\n").utf8)
    return (includesBody && status.allowsBody ? bytes + body : bytes, bytes.count)
  }
}
