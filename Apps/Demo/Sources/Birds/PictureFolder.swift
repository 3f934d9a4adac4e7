internal import Foundation

/// Where pictures are kept: a directory that is made when it is not there.
struct PictureFolder {
  let path: String

  /// Looks whether there is any use in loading something to keep there.
  func check() throws(BirdsError) {
    do throws(OutputFile.Failure) {
      try OutputFolder(path: path).check()
    } catch {
      throw .cannotSave(path, reason: error.reason)
    }
  }

  /// Writes each picture, under the bird's name.
  ///
  /// A file is replaced as a whole or not at all.
  func save(_ birds: [LoadedBird]) throws(BirdsError) {
    do throws(OutputFile.Failure) {
      _ = try OutputFolder(path: path).make()
    } catch {
      throw .cannotSave(path, reason: error.reason)
    }
    for (name, loaded) in zip(Self.fileNames(for: birds.map(\.bird.name)), birds) {
      let file = path + "/" + name
      do throws(OutputFile.Failure) {
        try OutputFile.write(loaded.file, to: file)
      } catch {
        throw .cannotSave(file, reason: error.reason)
      }
    }
  }

  /// A safe file name for each name: small letters, digits and hyphens, each used once.
  static func fileNames(for names: [String]) -> [String] {
    var taken: Set<String> = []
    return names.map { name in
      // Short enough for any file system, in any script.
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
