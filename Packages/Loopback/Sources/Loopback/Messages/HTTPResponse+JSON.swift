import Foundation

extension HTTPResponse {
  /// Creates a response with a value as JSON.
  ///
  /// Keys are sorted, so that equal values have equal bytes. If a value cannot be encoded, the response is 500 with the
  /// value's type and the error of the encoder.
  public static func json(_ value: some Encodable, status: HTTPStatus = .ok) -> Self {
    do {
      return bytes(try encoder.encode(value), contentType: "application/json", status: status)
    } catch {
      return .text("Cannot encode a value of type \(type(of: value)) as JSON: \(error)\n", status: .internalServerError)
    }
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
