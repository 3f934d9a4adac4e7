import OrderTaking
import OrderTakingJournal
import StorageTesting
import Testing

@Suite("The rules of storages", .timeLimit(.minutes(5))) struct StorageRuleTests {
  @Test("an SQLite file", arguments: StorageRule.all) func sqlite(rule: StorageRule) async throws {
    let folder = Folder()
    try await rule.check { try SQLiteJournal(at: folder.file, server: "http://one.example").storage }
  }

  @Test("memory", arguments: StorageRule.all.filter { !$0.opensAgain }) func memory(rule: StorageRule) async throws {
    try await rule.check { .inMemory() }
  }
}
