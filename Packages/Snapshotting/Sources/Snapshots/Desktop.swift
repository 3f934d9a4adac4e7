internal import Foundation

/// The desktop of the user.
enum Desktop {
  /// Opens files with the programs of the desktop, without waiting for them.
  static func open(_ paths: [String]) {
    for path in paths where FileManager.default.fileExists(atPath: path) { open(address: path) }
  }

  /// Opens a path or an address of the web.
  static func open(address: String) {
    #if os(macOS)
      let program = "open"
    #else
      let program = "xdg-open"
    #endif
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program, address]
    // Their messages would disturb the screen.
    (process.standardInput, process.standardOutput, process.standardError) = (nil, nil, nil)
    try? process.run()
  }
}
