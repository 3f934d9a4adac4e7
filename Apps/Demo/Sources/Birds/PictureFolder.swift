internal import Foundation

/// The folder of saved pictures, created on demand.
struct PictureFolder {
  let path: String

  /// Checks that the folder is writable or can be created.
  func check() throws(BirdsError) {
    do throws(OutputFile.Failure) {
      try OutputFolder(path: path).check()
    } catch {
      throw .cannotSave(path, because: error)
    }
  }

  /// Writes each picture to a file named after the bird, atomically.
  func save(_ birds: [LoadedBird]) throws(BirdsError) {
    do throws(OutputFile.Failure) {
      _ = try OutputFolder(path: path).make()
    } catch {
      throw .cannotSave(path, because: error)
    }
    for (name, loaded) in zip(Self.fileNames(for: birds.map(\.bird.name)), birds) {
      let file = path + "/" + name
      do throws(OutputFile.Failure) {
        try OutputFile.write(loaded.file, to: file)
      } catch {
        throw .cannotSave(file, because: error)
      }
    }
  }

  /// Returns a safe, unique file name for each name: lowercase letters, digits and hyphens.
  static func fileNames(for names: [String]) -> [String] {
    var taken: Set<String> = []
    return names.map { name in
      // 60 characters fit the limit of any file system, in any script.
      let words = name.lowercased().prefix(60).split { !($0.isLetter || $0.isNumber) }
      let base = words.isEmpty ? "bird" : words.joined(separator: "-")
      let unused = sequence(first: 1) { $0 + 1 }.lazy
        .map { $0 == 1 ? base : "\(base)-\($0)" }
        .first { !taken.contains($0) }
      let name = unused ?? base
      taken.insert(name)
      return name + ".png"
    }
  }
}
