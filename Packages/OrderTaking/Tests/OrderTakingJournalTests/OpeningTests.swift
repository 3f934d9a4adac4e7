import Foundation
import Futures
import OrderTaking
import TestSupport
import Testing

@testable import OrderTakingJournal

@Suite("Opening a journal") struct OpeningTests {
  let folder = Folder()

  @Test("only the owner can read the files of a new journal") func permissions() async throws {
    let journal = try folder.open()
    try await journal.journal.write(record(1)).get()
    #expect(folder.names == ["takings.sqlite", "takings.sqlite-wal"])
    for name in folder.names {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
    try await journal.close().get()
    #expect(folder.names == ["takings.sqlite"])
  }

  @Test("a journal cannot be opened while it is open, and has all its records afterwards") func locked() async throws {
    let first = try folder.open()
    #expect(kind { try folder.open() } == .inUse)
    // A relative path and a link name the same file.
    let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
    let relative = Array(repeating: "..", count: depth).joined(separator: "/") + folder.file
    #expect(kind { try SQLiteJournal(at: relative, server: "http://one.example") } == .inUse)
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: folder.file)
    #expect(kind { try SQLiteJournal(at: folder.path + "/link", server: "http://one.example") } == .inUse)
    #expect(kind { try SQLiteJournal.rebind(at: folder.file, toServer: "s") } == .inUse)
    let written = first.journal.write(record(1))
    let closed = [first.close(), first.close()]
    try await written.get()
    for close in closed { try await close.get() }
    #expect(try await folder.open().orders() == ["1"])
  }

  @Test("a released journal is closed after its last write") func released() async throws {
    let written = try folder.open().journal.write(record(1))
    try await written.get()
    #expect(try await folder.open().orders() == ["1"])
  }

  @Test("of many threads that open a new file at the same time, at most one gets it, and the file is valid")
  func concurrentCreation() async throws {
    let journals = Locked<[SQLiteJournal]>([])
    let errors = Locked<[JournalError]>([])
    await hammer(threads: 4) { _, _ in
      do throws(JournalError) {
        let journal = try folder.open()
        journals.withLock { $0.append(journal) }
      } catch { errors.withLock { $0.append(error) } }
    }
    #expect(journals.withLock { $0.count } <= 1)
    #expect(errors.withLock { $0 }.allSatisfy { $0.kind == .inUse })
    for journal in journals.withLock({ $0 }) { try await journal.close().get() }
    #expect(try await folder.open().orders() == [])
  }

  @Test("names of SQLite for other storage are names of files", arguments: [":memory:", "file:a?mode=memory"])
  func names(name: String) async throws {
    let path = folder.path + "/" + name
    let journal = try SQLiteJournal(at: path, server: "s")
    #expect(FileManager.default.fileExists(atPath: path))
    try await journal.close().get()
  }

  @Test("the error of a path that cannot be used names it and the next step") func unusable() throws {
    let missing = error { try SQLiteJournal(at: folder.path + "/none/a", server: "s") }
    #expect(missing?.kind == .storage)
    #expect(missing?.description.contains("\(folder.path)/none/a: ") == true)
    #expect(missing?.description.hasSuffix("Check the path, and create its folder.") == true)
    #expect(kind { try SQLiteJournal(at: folder.path, server: "s") } == .storage)
    #expect(kind { try SQLiteJournal(at: "", server: "s") } == .storage)
    mkfifo(folder.path + "/pipe", 0o600)
    #expect(kind { try SQLiteJournal(at: folder.path + "/pipe", server: "s") } == .storage)
    #expect(folder.names == ["pipe"])
    #if os(Linux)
      let system = error { try SQLiteJournal(at: "/sys/takings.sqlite", server: "s") }
      #expect(system?.kind == .notWritable)
      #expect(system?.description.hasSuffix("Check the permissions of the file and of its folder.") == true)
    #endif
  }

  #if os(Linux)
    @Test("a file that a user may only read is not writable, and the error says to check the permissions")
    func readOnly() async throws {
      try await folder.fill([record(1)])
      chmod(folder.file, 0o444)
      chmod(folder.path, 0o777)
      // Root may write every file, so this thread checks files as another user.
      let handle = dlopen(nil, RTLD_NOW)
      let setUser = unsafeBitCast(dlsym(handle, "setfsuid"), to: (@convention(c) (UInt32) -> Int32).self)
      _ = setUser(65_534)
      let failure = error { try folder.open() }
      _ = setUser(geteuid())
      #expect(failure?.kind == .notWritable)
      #expect(failure?.description.hasSuffix("Check the permissions of the file and of its folder.") == true)
      #expect(try await folder.open().orders() == ["1"])
    }
  #endif

  @Test("a journal of another server is not opened, until it is assigned to that server") func otherServer()
    async throws
  {
    try await folder.fill([record(1)])
    let failure = error { try folder.open(server: "http://two.example") }
    #expect(failure?.kind == .otherServer)
    #expect(failure?.description.contains("http://one.example") == true)
    try SQLiteJournal.rebind(at: folder.file, toServer: "http://two.example")
    #expect(kind { try folder.open() } == .otherServer)
    let journal = try folder.open(server: "http://two.example")
    #expect(try await journal.orders() == ["1"])
    try await journal.close().get()
    #expect(kind { try SQLiteJournal.rebind(at: folder.path + "/none", toServer: "s") } == .storage)
    #expect(folder.names.count == 1)
  }

  @Test("servers whose names differ only in their Unicode form are different") func serverBytes() async throws {
    let journal = try folder.open(server: "http://\u{E9}.example")
    try await journal.close().get()
    #expect(kind { try folder.open(server: "http://e\u{301}.example") } == .otherServer)
  }
}

@Suite("A file that is not a journal") struct ForeignFileTests {
  let folder = Folder()

  /// Opens the file, which fails and changes no file.
  func expectForeign(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let before = try folder.names.map { try folder.bytes(of: folder.path + "/" + $0) }
    let names = folder.names
    let failure = error { try folder.open() }
    #expect(failure?.kind == .foreign, "\(String(describing: failure))", sourceLocation: sourceLocation)
    #expect(failure?.description.contains(folder.file) == true, sourceLocation: sourceLocation)
    #expect(folder.names == names, sourceLocation: sourceLocation)
    #expect(
      try folder.names.map { try folder.bytes(of: folder.path + "/" + $0) } == before, sourceLocation: sourceLocation)
  }

  @Test("a text or noise is not changed", arguments: [1, 15, 100, 5_000]) func text(length: Int) throws {
    try folder.write(Data(repeating: 65, count: length), to: folder.file)
    try expectForeign()
  }

  @Test("the database of another program is not changed, also with a log that a crash left", arguments: [false, true])
  func otherProgram(hasLog: Bool) throws {
    let database = try Database(at: folder.file)
    try database.execute(
      "PRAGMA journal_mode=\(hasLog ? "WAL" : "DELETE"); CREATE TABLE takings (id INTEGER PRIMARY KEY)")
    database.close(keepingLog: true)
    #expect(folder.names.contains("takings.sqlite-wal") == hasLog)
    try expectForeign()
  }

  @Test(
    "a journal with other tables is not used",
    arguments: [
      "CREATE TABLE more (x)", "DROP INDEX takings_due", "ALTER TABLE takings ADD COLUMN more TEXT",
      "CREATE TRIGGER trap BEFORE INSERT ON takings BEGIN SELECT raise(IGNORE); END",
      "DROP TABLE takings; CREATE VIEW takings AS SELECT 1 AS id",
    ])
  func otherTables(sql: String) async throws {
    try await folder.fill([record(1)])
    let database = try Database(at: folder.file)
    try database.execute(sql)
    database.close()
    try expectForeign()
  }
}
