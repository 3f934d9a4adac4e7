import Foundation
import TestSupport

extension TemporaryFolder {
  func text(of file: String) -> String? {
    (try? Data(contentsOf: URL(fileURLWithPath: self.file(file)))).map { String(decoding: $0, as: UTF8.self) }
  }

  func write(_ text: String, to file: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: self.file(file)))
  }
}
