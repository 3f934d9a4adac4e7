public import Foundation
internal import Futures
public import OrderTaking

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension HTTPClient {
  /// A client that speaks the protocol of <doc:Protocol> through a URL session.
  ///
  /// What the server says is taken with care: an answer about a taking of more than 64 KB counts as one that cannot be read,
  /// and its words are cut. A token, or a password in the base URL, is in no error and no log. An order named by the empty
  /// text, `.` or `..`, which no URL can say, counts as refused with 400, and nothing is sent.
  ///
  /// What ``HTTPTransport/urlSession(_:)`` says about Linux holds; the other form takes another
  /// transport. How long a request may take is the policy's
  /// affair; the session's limit of connections is the session's.
  ///
  /// ```swift
  /// let client = HTTPClient<String, Tour>.live(at: base, token: tokens) { data in
  ///   try JSONDecoder().decode(Tour.self, from: data)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - base: What the paths are appended to.
  ///   - session: Sends the requests.
  ///   - token: The token that they carry; none when left out.
  ///   - decodeDetails: Reads the body of an order; what it throws counts as an answer that could not be read.
  public static func live(
    at base: URL, session: URLSession = .shared, token: TokenSource? = nil,
    decodingDetails decodeDetails: @escaping @Sendable (Data) throws -> Details
  ) -> HTTPClient where OrderID: LosslessStringConvertible {
    live(at: base, over: .urlSession(session), token: token, decodingDetails: decodeDetails)
  }

  /// A client that speaks the protocol of <doc:Protocol> over a transport.
  ///
  /// ```swift
  /// let client = HTTPClient<String, Tour>.live(at: base, over: .tcp(), token: tokens, decodingDetails: decode)
  /// ```
  ///
  /// - Parameters:
  ///   - base: What the paths are appended to.
  ///   - transport: Carries the requests.
  ///   - token: The token that they carry; none when left out.
  ///   - decodeDetails: Reads the body of an order; what it throws counts as an answer that could not be read.
  public static func live(
    at base: URL, over transport: HTTPTransport, token: TokenSource? = nil,
    decodingDetails decodeDetails: @escaping @Sendable (Data) throws -> Details
  ) -> HTTPClient where OrderID: LosslessStringConvertible {
    let wire = Wire(base: base, transport: transport, token: token)
    return HTTPClient(
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

/// The protocol, as requests and answers.
struct Wire: Sendable {
  let base: URL
  let transport: HTTPTransport
  let token: TokenSource?

  /// What goes into the headers and the body of a request about a taking.
  struct Intent: Sendable {
    let key: String
    let digest: String
    var body: [UInt8]?

    init<OrderID>(_ intent: TakingIntent<OrderID>) {
      key = intent.key.description
      digest = intent.bodyHash.description
      body = intent.body
    }
  }

  func send<Value: Sendable>(
    _ method: String, order: String, intent: Intent?,
    _ read: @escaping @Sendable (Data) throws(HTTPError) -> Value
  ) -> Future<Value, HTTPError> {
    // In a URL these are steps and no names: the request would be about something else.
    guard !["", ".", ".."].contains(order), let url = url(order, suffix: intent == nil ? "" : "/taking") else {
      return Future(
        error: HTTPError(
          .status(400), message: "the order name \"\(order)\" is not valid in a URL, so nothing was sent"))
    }
    var request = HTTPTransport.Request(method: method, url: url)
    if let intent {
      request.headers.append(("Idempotency-Key", intent.key))
      if let body = intent.body {
        request.body = body
        request.headers.append(("Content-Type", "application/json"))
        request.headers.append(("Content-Digest", "sha-256=:\(Self.base64(hexadecimal: intent.digest)):"))
      }
    }
    let used = token?.current
    if let used { request.headers.append(("Authorization", "Bearer \(used)")) }
    return transport.send(request)
      .mapError(immediateExecutionContext) { Self.hidingPassword(of: url, in: $0) }
      .flatMap(immediateExecutionContext) { response -> Result<Value, HTTPError> in
        do throws(HTTPError) {
          if response.status == 401 { token?.noteRefusal(of: used) }
          guard (200..<300).contains(response.status) else { throw Self.error(response) }
          return .success(try read(response.body))
        } catch {
          return .failure(error)
        }
      }
  }

  /// The URL of an order, whatever its name: all but letters, digits and `-._~` is escaped, a slash too.
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
