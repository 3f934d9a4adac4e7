#if os(Linux)
  import Foundation
  import Testing

  @testable import SnapshotAssertions
  @testable import SnapshotStore

  /// Each test has a separate process, which drops its privileges.
  @Suite("Errors of the file system")
  struct FileSystemTests {
    @Test("a read-only folder is a clear failure, and its files do not change")
    func readOnly() async {
      await #expect(processExitsWith: .success) {
        let snapshots = SnapshotFolder()
        try snapshots.write("old", to: "test.a.txt")
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: snapshots.path)
        // The superuser can write to every folder, so the test continues as the user nobody.
        if getuid() == 0 {
          try #require(chown(snapshots.path, 65_534, 65_534) == 0 && setgid(65_534) == 0 && setuid(65_534) == 0)
        }
        let failures = [
          snapshots.failure(of: "new", named: "a", record: .all), snapshots.failure(of: "new", named: "b"),
        ]
        for failure in failures {
          try #require(failure?.contains("Cannot write /") == true, "\(failure ?? "")")
          try #require(failure?.contains("Permission denied") == true, "\(failure ?? "")")
        }
        try #require(snapshots.files == ["test.a.txt"] && snapshots.text(of: "test.a.txt") == "old")
      }
    }

    @Test("a reference without read permission is a clear failure")
    func unreadable() async {
      await #expect(processExitsWith: .success) {
        let snapshots = SnapshotFolder()
        try snapshots.write("old", to: "test.a.txt")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: snapshots.path + "/test.a.txt")
        if getuid() == 0 {
          try #require(chown(snapshots.path, 65_534, 65_534) == 0 && setgid(65_534) == 0 && setuid(65_534) == 0)
        }
        let failure = snapshots.failure(of: "old", named: "a")
        try #require(failure?.contains("Cannot read /") == true, "\(failure ?? "")")
      }
    }

    @Test(
      "a writable reference of another user keeps its owner",
      .enabled(if: getuid() == 0, "only the superuser can create it"))
    func otherOwner() async {
      await #expect(processExitsWith: .success) {
        let snapshots = SnapshotFolder()
        try snapshots.write("a long old text", to: "test.a.txt")
        let path = snapshots.path + "/test.a.txt"
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        try #require(chown(snapshots.path, 65_534, 65_534) == 0 && setgid(65_534) == 0 && setuid(65_534) == 0)
        try #require(snapshots.failure(of: "new", named: "a", record: .all)?.hasPrefix("Record mode is on.") == true)
        try #require(snapshots.files == ["test.a.txt"] && snapshots.text(of: "test.a.txt") == "new")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        try #require(attributes[.ownerAccountID] as? Int == 0 && attributes[.posixPermissions] as? Int == 0o666)
      }
    }

    @Test("a write that exceeds a limit is a clear failure, keeps the old file, and leaves no temporary file")
    func noRoom() async {
      await #expect(processExitsWith: .success) {
        let snapshots = SnapshotFolder()
        try snapshots.write("old", to: "test.a.txt")
        // The size limit of the process interrupts the write.
        var limit = rlimit(rlim_cur: 4_096, rlim_max: 4_096)
        signal(SIGXFSZ, SIG_IGN)
        try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
        let failure = snapshots.failure(of: String(repeating: "line\n", count: 10_000), named: "a", record: .all)
        try #require(failure?.contains("Cannot write /") == true, "\(failure ?? "")")
        try #require(snapshots.files == ["test.a.txt"] && snapshots.text(of: "test.a.txt") == "old")
      }
    }

    @Test(
      "a full disk is a clear failure, and keeps the old file",
      .enabled(if: getuid() == 0, "only the superuser can mount a small disk"))
    func fullDisk() async {
      await #expect(processExitsWith: .success) {
        let snapshots = SnapshotFolder()
        try snapshots.write("", to: "x")
        guard let unmount = mountSmallDisk(at: snapshots.path) else { return print("Mounting is not permitted here.") }
        defer { unmount() }
        try snapshots.write("old", to: "test.a.txt")
        let failure = snapshots.failure(of: String(repeating: "line\n", count: 20_000), named: "a", record: .all)
        try #require(failure?.contains("No space left on device") == true, "\(failure ?? "")")
        try #require(snapshots.files == ["test.a.txt"] && snapshots.text(of: "test.a.txt") == "old")
        try #require(snapshots.failure(of: "old", named: "a", record: .never) == nil)
      }
    }
  }

  /// Mounts a small disk that only this process sees, and that ends with the process.
  ///
  /// - Returns: A function that unmounts the disk, or `nil` if mounting is not permitted.
  private func mountSmallDisk(at path: String) -> (() -> Void)? {
    typealias Unshare = @convention(c) (Int32) -> Int32
    typealias Mount =
      @convention(c) (
        UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>, UInt, UnsafeRawPointer?
      ) -> Int32
    typealias Unmount = @convention(c) (UnsafePointer<CChar>) -> Int32
    // The functions are not available in the Glibc module.
    let program = dlopen(nil, RTLD_NOW)
    guard let unshare = dlsym(program, "unshare").map({ unsafeBitCast($0, to: Unshare.self) }),
      let mount = dlsym(program, "mount").map({ unsafeBitCast($0, to: Mount.self) }),
      let unmount = dlsym(program, "umount").map({ unsafeBitCast($0, to: Unmount.self) })
    else { return nil }
    let (newMounts, recursivelyPrivate): (Int32, UInt) = (0x20000, 0x44000)
    guard unshare(newMounts) == 0, mount("none", "/", "none", recursivelyPrivate, nil) == 0,
      "size=16k".withCString({ mount("none", path, "tmpfs", 0, $0) }) == 0
    else { return nil }
    return { _ = unmount(path) }
  }
#endif
