import Futures
import OrderTaking
import OrderTakingPostgres
import StorageTesting
import Testing

@Suite("The rules of storages, on PostgreSQL", .timeLimit(.minutes(5))) struct StorageRuleTests {
  @Test("a PostgreSQL database keeps the rule", arguments: StorageRule.all) func rule(_ rule: StorageRule) async throws
  {
    let scene = try await Scene(newDatabaseOf: nil)
    try await rule.check { try await PostgresJournal.open(scene.configuration).get().storage }
  }
}
