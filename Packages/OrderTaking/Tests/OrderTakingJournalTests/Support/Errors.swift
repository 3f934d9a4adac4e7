import Futures
import OrderTaking

func error<Value>(_ body: () throws -> Value) -> JournalError? {
  do {
    _ = try body()
    return nil
  } catch { return error as? JournalError }
}

func kind<Value>(_ body: () throws -> Value) -> JournalError.Kind? { error(body)?.kind }

func error<Value>(_ future: Future<Value, JournalError>) async -> JournalError? {
  do throws(JournalError) {
    _ = try await future.get()
    return nil
  } catch { return error }
}

func kind<Value>(_ future: Future<Value, JournalError>) async -> JournalError.Kind? { await error(future)?.kind }
