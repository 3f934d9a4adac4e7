public import Foundation
internal import Futures
public import FuturesNetworking
public import OrderTaking

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension OrderHTTPClient {
  /// Returns a client of the protocol in <doc:Protocol> that uses an HTTP client.
  ///
  /// A response to PUT, or to GET for the result, of more than 64 KiB is an error, and so are details of more than 4
  /// MiB. Texts of the server are shortened. Errors and logs contain neither the token nor a password in the base URL.
  /// An order with an empty name, `.` or `..` cannot be part of a URL. Its requests fail as invalid, and nothing is
  /// sent. So do all requests if the base URL has a query or a fragment.
  ///
  /// The policy of the `OrderTaker` limits the time of a request. On Linux, pass `.curl()` of `FuturesNetworkingCurl`,
  /// because a URL session can stop the process. The function that decodes details is called on the HTTP client's
  /// thread; if it throws, the response counts as unreadable. Connecting may take five seconds. The HTTP client limits
  /// the number of concurrent requests.
  ///
  /// ```swift
  /// let client = OrderHTTPClient<String, Tour>.live(at: base, over: .curl(), token: tokens) { data in
  ///   try JSONDecoder().decode(Tour.self, from: data)
  /// }
  /// ```
  public static func live(
    at base: URL, over client: HTTPClient, token: TokenSource? = nil,
    decodingDetails decodeDetails: @escaping @Sendable (Data) throws -> Details
  ) -> OrderHTTPClient where OrderID: LosslessStringConvertible {
    let wire = Wire(base: base, client: client, token: token)
    return OrderHTTPClient(
      take: { intent in wire.send("PUT", order: intent.order.description, intent: .init(intent), Wire.answer) },
      takingOperationStatus: { intent in
        var asked = Wire.Intent(intent)
        asked.body = nil
        return wire.send("GET", order: intent.order.description, intent: asked, Wire.answer)
      },
      acceptedOrderDetails: { order in
        wire.send("GET", order: order.description, intent: nil) { data throws(HTTPError) in
          do { return try decodeDetails(data) } catch { throw Wire.unreadable("the order's details: \(error)") }
        }
      },
      refreshToken: { token?.renewIfRefused() ?? Future(error: .status(401)) })
  }
}

struct Wire: Sendable {
  let base: URL
  let client: HTTPClient
  let token: TokenSource?

  struct Intent: Sendable {
    let key: String
    let digest: String
    var body: [UInt8]?

    init<OrderID>(_ intent: TakingIntent<OrderID>) {
      key = intent.key.description
      digest = intent.fingerprint.description
      body = intent.body
    }
  }

  /// The time limit to connect is shorter than that of a request.
  ///
  /// After it, the server has certainly received nothing.
  private static let limits = HTTPLimits(connecting: .seconds(5), whole: nil, bodyBytes: longestDetails)

  func send<Value: Sendable>(
    _ method: String, order: String, intent: Intent?,
    _ read: @escaping @Sendable (Data) throws(HTTPError) -> Value
  ) -> Future<Value, HTTPError> {
    // A path that is appended to them would be a part of them.
    guard base.query == nil, base.fragment == nil else {
      return Future(
        error: HTTPError(
          .invalidRequest, message: "the base URL has a '?' or a '#', so nothing was sent. Use a URL without them"))
    }
    // In a URL these are path steps, so the request would have another URL.
    guard !["", ".", ".."].contains(order), let url = url(order, suffix: intent == nil ? "" : "/taking") else {
      return Future(
        error: HTTPError(
          .invalidRequest, message: "the order name \"\(order)\" is not valid in a URL, so nothing was sent"))
    }
    var request = URLRequest(url: url)
    request.httpMethod = method
    if let intent {
      request.setValue(intent.key, forHTTPHeaderField: "Idempotency-Key")
      if let body = intent.body {
        request.httpBody = Data(body)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("sha-256=:\(Self.base64(hexadecimal: intent.digest)):", forHTTPHeaderField: "Content-Digest")
      }
    }
    let used = token?.current
    // Foundation would drop the whole field because of a line break.
    if let used { request.setValue("Bearer \(Self.cut(used, .max))", forHTTPHeaderField: "Authorization") }
    return client.dataFuture(for: request, within: Self.limits)
      .mapError(immediateExecutionContext) { HTTPError($0) }
      .flatMapResult(immediateExecutionContext) { data, response -> Result<Value, HTTPError> in
        do throws(HTTPError) {
          if response.statusCode == 401 { token?.noteRefusal(of: used) }
          guard (200..<300).contains(response.statusCode) else { throw Self.error(data, response) }
          return .success(try read(data))
        } catch {
          return .failure(error)
        }
      }
  }

  /// Returns the URL of an order.
  ///
  /// All characters except letters, digits and `-._~` are escaped.
  private func url(_ order: String, suffix: String) -> URL? {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    let name = order.utf8.map { byte in
      plain.contains(byte) ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    var start = base.absoluteString[...]
    while start.hasSuffix("/") { start = start.dropLast() }
    return URL(string: "\(start)/orders/\(name.joined())\(suffix)")
  }

  private static func base64(hexadecimal digits: String) -> String {
    var bytes = Data()
    var rest = digits[...]
    while let byte = UInt8(rest.prefix(2), radix: 16) {
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return bytes.base64EncodedString()
  }
}
