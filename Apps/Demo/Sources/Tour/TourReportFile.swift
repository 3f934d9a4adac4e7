internal import Foundation

struct TourReportFile {
  /// The folder given with `-o`; `nil` for a new temporary folder.
  let folder: String?

  private static let page = "index.html"

  /// Checks in advance whether the report can be written.
  ///
  /// - Throws: ``TourReportError`` when a folder is not writable, or when an existing file is not a report.
  func check() throws(TourReportError) {
    let temporary = FileManager.default.temporaryDirectory.path
    do throws(OutputFile.Failure) {
      var status = stat()
      guard stat(temporary, &status) == 0 else { throw OutputFile.Failure(code: errno) }
      try OutputFolder(path: temporary).check()
    } catch {
      throw TourReportError(temporary: temporary, error.reason)
    }
    guard let folder else { return }
    do throws(OutputFile.Failure) {
      try OutputFolder(path: folder).check()
      try checkPage(folder + "/" + Self.page)
    } catch {
      throw TourReportError(folder, error.reason)
    }
  }

  /// Checks that only a report is replaced.
  private func checkPage(_ path: String) throws(OutputFile.Failure) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFREG else { throw OutputFile.Failure("its \(Self.page) is not a file") }
    let start = (try? FileHandle(forReadingFrom: URL(filePath: path)).read(upToCount: 1_024)) ?? Data()
    guard String(decoding: start, as: UTF8.self).contains(TourReport.generator) else {
      throw OutputFile.Failure("its \(Self.page) is not a report of a tour")
    }
  }

  /// Writes the page atomically.
  ///
  /// - Returns: The path of the page.
  func write(_ html: String) throws(TourReportError) -> String {
    let temporary = FileManager.default.temporaryDirectory.path
    let folder = folder ?? "\(temporary)/demo-tour-report-\(UUID().uuidString.prefix(8))"
    do throws(OutputFile.Failure) {
      let made = try OutputFolder(path: folder).make()
      let page = URL(filePath: folder, directoryHint: .isDirectory).appending(path: Self.page).path
      do throws(OutputFile.Failure) {
        try OutputFile.write(Data(html.utf8), to: page)
      } catch {
        OutputFolder.remove(made)
        throw error
      }
      return page
    } catch {
      throw TourReportError(folder, error.reason)
    }
  }
}

struct TourReportError: Error, Sendable, Equatable, CustomStringConvertible {
  let description: String

  init(_ path: String, _ reason: String) {
    description = "Cannot write the report to \(path): \(reason). Give another folder with -o."
  }

  init(temporary path: String, _ reason: String) {
    description = "Cannot write temporary files to \(path): \(reason). Set TMPDIR to a writable folder."
  }
}
