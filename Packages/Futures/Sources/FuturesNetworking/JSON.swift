internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

func decoded<Value: Decodable>(
  _ data: Data, _ status: Int, of request: URLRequest, using decoder: JSONDecoder
) -> Result<Value, NetworkError> {
  guard (200..<300).contains(status) else {
    return .failure(NetworkError(.badStatus, request: request, statusCode: status))
  }
  return Result { try decoder.decode(Value.self, from: data) }.mapError { error in
    NetworkError(
      .invalidJSON, request: request, statusCode: status, reason: data.isEmpty ? "it is empty" : fault(in: error))
  }
}

/// Returns the fault of a body and its place, such as "`name` is missing at [2].bird".
private func fault(in error: any Error) -> String {
  switch error {
  case DecodingError.keyNotFound(let key, let context): "`\(key.stringValue)` is missing at \(path(context))"
  case DecodingError.valueNotFound(let type, let context):
    "the value at \(path(context)) is null or missing instead of \(name(type))"
  case DecodingError.typeMismatch(let type, let context): "the value at \(path(context)) is not \(name(type))"
  case DecodingError.dataCorrupted(let context):
    "the value at \(path(context)) is invalid: \(context.debugDescription.trimmingCharacters(in: ["."]))"
  default: "\(error)"
  }
}

private func name(_ type: any Any.Type) -> String {
  switch type {
  case is [String: Any].Type: "an object"
  case is [Any].Type: "an array"
  default: "a \(type)"
  }
}

private func path(_ context: DecodingError.Context) -> String {
  let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
  return path.isEmpty ? "the top level" : String(path.trimmingPrefix("."))
}
