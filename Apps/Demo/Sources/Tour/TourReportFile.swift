internal import Foundation

/// Where the report goes.
struct TourReportFile {
  /// The folder that was asked for; `nil` for a new one among the temporary files.
  let folder: String?

  /// Looks whether there is any use in writing there later on.
  ///
  /// - Throws: ``TourReportError`` when something that is no folder is in the way, or a folder cannot be written to.
  func check() throws(TourReportError) {
    guard let folder else { return }
    var url = URL(filePath: folder, directoryHint: .isDirectory).standardizedFileURL
    while access(url.path, F_OK) != 0, [ENOENT, ENOTDIR].contains(errno), url.path != "/" {
      url.deleteLastPathComponent()
    }
    var information = stat()
    guard stat(url.path, &information) == 0 else { throw TourReportError(folder, String(cString: strerror(errno))) }
    guard information.st_mode & S_IFMT == S_IFDIR else { throw TourReportError(folder, "\(url.path) is not a folder") }
    guard access(url.path, W_OK | X_OK) == 0 else { throw TourReportError(folder, String(cString: strerror(errno))) }
  }

  /// Writes the page, all of it or nothing.
  ///
  /// - Returns: The path of the page.
  func write(_ html: String) throws(TourReportError) -> String {
    let temporary = FileManager.default.temporaryDirectory.appending(
      path: "demo-tour-report-\(UUID().uuidString.prefix(8))")
    let folder = folder.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? temporary
    let page = folder.appending(path: "index.html")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(html.utf8).write(to: page, options: .atomic)
      return page.path
    } catch {
      throw TourReportError(folder.path, (error as? CocoaError)?.underlying?.localizedDescription ?? "\(error)")
    }
  }
}

/// Why there is no report.
struct TourReportError: Error, Sendable, Equatable, CustomStringConvertible {
  let description: String

  init(_ path: String, _ reason: String) {
    description = "Cannot write the report to \(path): \(reason). Give another folder with -o."
  }
}
