internal import Foundation

/// A file of this machine that is a page or is requested by a page.
struct PageFile {
  let path: String

  /// - Returns: `nil` if the URL is not a file of this machine.
  init?(_ url: URL) {
    guard url.isFileURL, url.host == nil || url.host == "" || url.host == "localhost",
      !url.path(percentEncoded: true).contains("%00")
    else {
      return nil
    }
    path = url.path
  }

  /// Whether the file exists in the folder of another file or below, after symbolic links are resolved.
  func isBelowFolder(of page: PageFile) -> Bool {
    guard let asked = realPath, let folder = page.realPath?.dropLast(), asked.count > folder.count else { return false }
    return asked.starts(with: folder)
  }

  func checkReadable() throws(WebError) {
    var status = stat()
    guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
      throw WebError(
        kind: .cannotLoad,
        description: "Cannot load \(path): the file does not exist or is not readable. Check the path.")
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR:
      throw WebError(
        kind: .cannotLoad,
        description: "Cannot load \(path): it is a directory. Name a file in it, such as index.html.")
    default:
      throw WebError(
        kind: .cannotLoad, description: "Cannot load \(path): it is a device, a pipe or a socket. Name a regular file.")
    }
  }

  /// The components of the path without symbolic links.
  private var realPath: [String]? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved).split(separator: "/").map(String.init)
  }
}

extension WebPage {
  /// The file of the page; `nil` if the page is not a file.
  var file: PageFile? {
    switch content {
    case .file(let url), .url(let url): PageFile(url)
    case .html: nil
    }
  }
}
