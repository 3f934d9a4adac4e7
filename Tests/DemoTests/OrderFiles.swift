import Foundation
import TestSupport

/// A temporary folder with a journal for one test of `demo order`, removed with the last reference.
struct OrderFiles {
  private let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  var folder: URL { URL(filePath: temporary.path) }

  var journal: String { temporary.file("takings.sqlite") }
}
