struct LoadFailure {
  let cause: String
  let advice: String

  /// Translates the browser's code, such as `net::ERR_CONNECTION_REFUSED`.
  init(_ code: String) {
    let name = code.hasPrefix("net::ERR_") ? String(code.dropFirst(9)) : code
    (cause, advice) =
      switch name {
      case "ABORTED": ("the response is a download or has no content", "Use the address of a page.")
      case "NAME_NOT_RESOLVED": ("the host is not known", "Check the host name, and the network.")
      case "CONNECTION_REFUSED":
        ("no server accepts connections there", "Start the server, or check the host and the port.")
      case "ADDRESS_UNREACHABLE": ("this machine cannot reach the host", "Check the host, and the network.")
      case "INTERNET_DISCONNECTED": ("this machine has no network", "Connect it to a network.")
      case "INVALID_HTTP_RESPONSE": ("the server does not speak HTTP", "Check the host and the port.")
      case "CONNECTION_RESET", "CONNECTION_CLOSED", "EMPTY_RESPONSE", "CONTENT_LENGTH_MISMATCH",
        "INCOMPLETE_CHUNKED_ENCODING":
        ("the server closed the connection before the response was complete", "Check the server's log.")
      case "TIMED_OUT", "CONNECTION_TIMED_OUT":
        ("the server did not respond in time", "Check that the server can be reached.")
      case "TOO_MANY_REDIRECTS":
        ("the server redirects without end", "Check the address, or correct the server's redirects.")
      case "INVALID_REDIRECT", "UNSAFE_REDIRECT":
        ("a redirect leads to an address that is not allowed", "Correct the redirect.")
      case "UNSAFE_PORT": ("browsers do not connect to this port", "Use another port.")
      case "FILE_NOT_FOUND": ("the file does not exist", "Check the path.")
      case "ACCESS_DENIED": ("the file is not readable", "Change its permissions.")
      case "BLOCKED_BY_CLIENT":
        (
          "the page has no access to this address, or to one that it redirects to",
          "Give the page network access, or a response for the address."
        )
      case _ where name.hasPrefix("CERT_"):
        ("the browser does not trust the server's certificate", "Use a certificate that this machine trusts.")
      case _ where name.hasPrefix("SSL_"):
        ("the secure connection failed", "Check whether the server uses http or https, and its certificate.")
      default: ("the browser could not load it", "Check the address.")
      }
  }
}
