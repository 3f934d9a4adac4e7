public import Foundation
internal import Futures
internal import FuturesNetworking
public import OrderTaking

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension HTTPClient {
  /// A client that speaks the protocol of <doc:Protocol> through a URL session.
  ///
  /// What the server says is taken with care: an answer about a taking of more than 64 KB counts as one that cannot be read,
  /// and its words are cut. A token, or a password in the base URL, is in no error and no log.
  ///
  /// A request that is cancelled, by a time-out or a push, ends on the wire. How long a request may take is the policy's
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
    let wire = Wire(base: base, session: session, token: token)
    return HTTPClient(
      take: { intent in wire.send("PUT", order: intent.order.description, intent: .init(intent), Wire.answer) },
      takingOperationStatus: { intent in
        var asked = Wire.Intent(intent)
        asked.body = nil
        return wire.send("GET", order: intent.order.description, intent: asked, Wire.answer)
      },
      acceptedOrderDetails: { order in
        wire.send("GET", order: order.description, intent: nil) { data throws(HTTPError) in
          do { return try decodeDetails(data) } catch { throw Wire.unreadable("details: \(error)") }
        }
      },
      refreshToken: { token?.renew() ?? Future(error: .status(401)) })
  }
}

/// The protocol, as requests and answers.
struct Wire: Sendable {
  let base: URL
  let session: URLSession
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
    guard let url = url(order, suffix: intent == nil ? "" : "/taking") else {
      return Future(error: HTTPError(.transport(mayHaveReachedServer: false), message: "no URL for order \(order)"))
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
    if let token = token?.current { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    return session.dataFuture(for: request)
      .mapError(immediateExecutionContext) { Self.error($0, hiding: url) }
      .flatMap(immediateExecutionContext) { data, response -> Result<Value, HTTPError> in
        do throws(HTTPError) {
          guard let response = response as? HTTPURLResponse else { throw Self.unreadable("not HTTP") }
          guard (200..<300).contains(response.statusCode) else { throw Self.error(response, data) }
          return .success(try read(data))
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
