internal import CCurl

/// The memory in which libcurl describes an error.
///
/// It must outlive the use of the handle.
final class ErrorText {
  let bytes: UnsafeMutablePointer<CChar>

  init() {
    bytes = .allocate(capacity: Int(CURL_ERROR_SIZE))
    bytes.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit { bytes.deallocate() }

  /// Returns the description of an error, which is never empty.
  func text(for code: CURLcode) -> String {
    let text = String(cString: bytes)
    return text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
  }
}

/// Returns the number of the system's error in the last call of a handle, or 0.
func systemCode(of easy: UnsafeMutableRawPointer?) -> Int32 {
  var code = 0
  if let easy { curl_get_long(easy, CURLINFO_OS_ERRNO, &code) }
  return Int32(truncatingIfNeeded: code)
}
