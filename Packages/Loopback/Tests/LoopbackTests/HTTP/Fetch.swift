import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Fetches with `URLSession`'s completion handler, which can be cancelled without a deadlock on Linux.
func fetch(_ url: URL) async throws -> (data: Data, status: Int) {
  try await withCheckedThrowingContinuation { continuation in
    URLSession.shared.dataTask(with: url) { data, response, error in
      if let data, let response = response as? HTTPURLResponse {
        continuation.resume(returning: (data, response.statusCode))
      } else {
        continuation.resume(throwing: error ?? URLError(.unknown))
      }
    }.resume()
  }
}
