internal import Foundation

/// The pictures and lists of the demo, which a build copies to its folder.
enum BundledFiles {
  static func data(_ path: String) throws(DemoError) -> Data {
    do { return try Data(contentsOf: Bundle.module.bundleURL.appending(path: path)) } catch { throw outdated(path) }
  }

  static func items<Item: Decodable>(_ path: String) throws(DemoError) -> [Item] {
    let data = try data(path)
    do { return try JSONDecoder().decode([Item].self, from: data) } catch { throw outdated(path) }
  }

  private static func outdated(_ path: String) -> DemoError {
    let folder = Bundle.module.bundleURL.path
    return DemoError(
      "Cannot read \(path) in \(folder): the file is missing or belongs to another version of the demo.",
      next: "Build the demo again.")
  }
}
