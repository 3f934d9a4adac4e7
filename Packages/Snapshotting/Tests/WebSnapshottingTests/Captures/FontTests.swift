import Foundation
import TestSupport
import Testing

@testable import WebSnapshotting

#if os(Linux)
  @Suite("Pinned fonts", .timeLimit(.minutes(2)))
  struct FontTests {
    private let html = """
      <p style='font-family: Arial'>Arial</p><p style='font-family: monospace'>monospace</p><p style='font-family: system-ui'>system-ui</p>
      <p style='font-family: Noto Sans, Segoe UI, Helvetica Neue, None'>none</p><p>😀 鳥 птица طائر ☂</p><button>button</button>
      """

    @Test("images are identical with any font preferences of the system and the user")
    func environment() async throws {
      let folder = try TemporaryFolder()
      let other = """
        <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>/usr/share/fonts</dir>
        <match target="pattern"><edit name="family" mode="assign" binding="strong"><string>DejaVu Serif</string></edit>
        <edit name="size" mode="assign"><double>40</double></edit></match>
        <match target="font"><edit name="antialias" mode="assign"><bool>false</bool></edit></match></fontconfig>
        """
      let file = URL(fileURLWithPath: "\(folder.path)/.config/fontconfig/fonts.conf")
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(other.utf8).write(to: file)
      var pictures: Set<[String]> = []
      for variables in [
        [:],
        [
          "FONTCONFIG_FILE": file.path, "FONTCONFIG_PATH": file.deletingLastPathComponent().path, "HOME": folder.path,
          "XDG_CONFIG_HOME": "\(folder.path)/.config", "XDG_DATA_HOME": folder.path, "LANG": "ja_JP.UTF-8",
          "LC_ALL": "tr_TR.UTF-8",
          "TZ": "Asia/Tokyo",
        ],
      ] {
        let temporary = try TemporaryFolder()
        let probe = try Probe("capture", "1", html, temporary: temporary, variables: variables)
        pictures.insert(await probe.lines())
        #expect(await probe.end() == 0)
      }
      #expect(pictures.count == 1 && pictures.first?.count == 1)
    }
  }
#endif
