internal import Foundation

enum Desktop {
  static func open(_ paths: [String]) {
    for path in paths where FileManager.default.fileExists(atPath: path) { open(address: path) }
  }

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
