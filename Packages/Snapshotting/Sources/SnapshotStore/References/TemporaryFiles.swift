internal import Foundation

/// The temporary files of writes, and the removal of the files of killed processes.
enum TemporaryFiles {
  /// Returns a path that no other write uses: `.<number>.<process>.tmp`.
  static func temporaryPath(in folder: String) -> String {
    "\(folder)/.\(UInt64.random(in: .min ... .max)).\(getpid()).tmp"
  }

  /// A file is abandoned if its process has ended and it is older than ten minutes.
  ///
  /// The process alone is not enough: it may run on another machine that shares the folder.
  static func remove(_ names: [String], in folder: String) {
    for name in names {
      guard let process = process(of: name), kill(process, 0) != 0, errno == ESRCH else { continue }
      let path = "\(folder)/\(name)"
      let attributes = (try? FileManager.default.attributesOfItem(atPath: path)) ?? [:]
      guard attributes[.type] as? FileAttributeType == .typeRegular, let time = attributes[.modificationDate] as? Date,
        time.timeIntervalSinceNow < -600
      else { continue }
      unlink(path)
    }
  }

  private static func process(of name: String) -> pid_t? {
    guard name.hasPrefix("."), name.hasSuffix(".tmp") else { return nil }
    let parts = name.split(separator: ".")
    guard parts.count == 3, UInt64(parts[0]) != nil, let process = pid_t(parts[1]), process > 0 else { return nil }
    return process
  }
}
