import Foundation
import ParallelTesting

/// A folder of one test of `demo order`, with its journal; removed when nobody holds this any more.
struct OrderFiles {
  private let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  var folder: URL { URL(filePath: temporary.path) }

  var journal: String { temporary.file("takings.sqlite") }
}
