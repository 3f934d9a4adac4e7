public import OrderTaking

extension PostgresJournal {
  /// Claims the outcome of an order in a transaction of the caller, so that it is processed exactly once.
  ///
  /// ```swift
  /// let result = await taker.take("7").get() as Result
  /// try await database.withTransaction { transaction in
  ///   let outcome = try await PostgresJournal.claimResult(of: "7", driver: "driver 7") { sql, parameters in
  ///     try await transaction.query(sql, parameters)
  ///   }
  ///   if let outcome { try await store(outcome, transaction) }
  /// }
  /// try await taker.acknowledge(result, of: "7").get()
  /// ```
  ///
  /// The first transaction that commits gets the outcome. A concurrent call waits for that transaction. At an isolation
  /// level above `READ COMMITTED`, it fails with a serialization error. After a rollback, the outcome can be claimed
  /// again. Use `ResultAcknowledgement.explicit`, and acknowledge the result after the commit, also if this function
  /// has returned `nil`. That releases the order.
  ///
  /// `order` is the text that the journal's `encode` returns. `transaction` runs a statement with text parameters in
  /// the caller's transaction, with any driver of PostgreSQL, and returns its rows.
  ///
  /// - Returns: The outcome, or `nil` if it was claimed or acknowledged before, or if the order has none.
  /// - Throws: The error of `transaction`, or `JournalError` of kind `damaged` if no known release has written the
  ///   outcome. Roll the transaction back then.
  public static func claimResult(
    of order: String, driver: String,
    in transaction: (_ sql: String, _ parameters: [String]) async throws -> [[String]]
  ) async throws -> TakingOutcome? {
    let sql = "SELECT change, detail FROM claim_taking_result($1, $2)"
    guard let row = try await transaction(sql, [driver, order]).first else { return nil }
    guard row.count == 2, case .ended(let outcome)? = TakingCheckpoint(change: row[0], detail: row[1]) else {
      throw JournalError.corrupt(order)
    }
    return outcome
  }
}
