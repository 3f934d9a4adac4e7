internal import CCurl
internal import Foundation

/// Must outlive the use of the handle.
///
/// Use it only on the handle's thread.
final class ErrorText {
  private let bytes: UnsafeMutablePointer<CChar>
  /// The error number of the last socket that could not be opened, or 0.
  private(set) var socketCode: Int32 = 0

  init() {
    bytes = .allocate(capacity: Int(CURL_ERROR_SIZE))
    bytes.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit { bytes.deallocate() }

  func observe(_ easy: UnsafeMutableRawPointer) {
    curl_set_pointer(easy, CURLOPT_ERRORBUFFER, bytes)
    // libcurl does not report why it could not open a socket.
    curl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, Unmanaged.passUnretained(self).toOpaque())
    curl_set_open_socket(easy) { this, _, address in
      guard let address else { return -1 }
      let descriptor = socket(address.pointee.family, address.pointee.socktype, address.pointee.protocol)
      if descriptor < 0, let this { Unmanaged<ErrorText>.fromOpaque(this).takeUnretainedValue().socketCode = errno }
      // Child processes must not keep connections open.
      if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      return descriptor
    }
  }

  func text(for code: CURLcode) -> String {
    let text = String(cString: bytes)
    return text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
  }
}
