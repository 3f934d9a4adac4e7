internal import Foundation
internal import ImageSnapshotting

enum SnapshotContent {
  case text(String)
  case picture(width: Int, height: Int)
  case bytes(Int)

  init(_ data: Data, pathExtension: String?) {
    if pathExtension?.lowercased() == "png", let picture = try? Image(reference: data) {
      self = .picture(width: picture.width, height: picture.height)
    } else if let text = String(validating: data, as: UTF8.self), !text.contains("\0") {
      self = .text(text)
    } else {
      self = .bytes(data.count)
    }
  }

  func text(path: String) -> String {
    switch self {
    case .text(let text): text
    case .picture(let width, let height): "an image of \(width)×\(height) pixels: \(path)"
    case .bytes(let count): "\(count) bytes: \(path)"
    }
  }
}
