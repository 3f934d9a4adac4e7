public import Foundation

extension HTTPResponse {
  /// A response of a value as JSON.
  ///
  /// Keys are sorted by default, so that equal values make equal bytes. A value that cannot be encoded makes a 500
  /// that names the value's type and what the encoder said.
  public static func json(_ value: some Encodable, status: HTTPStatus = .ok, encoder: JSONEncoder? = nil) -> Self {
    do {
      return bytes(try (encoder ?? sorting).encode(value), contentType: "application/json", status: status)
    } catch {
      return .text("Cannot encode a value of type \(type(of: value)) as JSON: \(error)\n", status: .internalServerError)
    }
  }

  private static var sorting: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
