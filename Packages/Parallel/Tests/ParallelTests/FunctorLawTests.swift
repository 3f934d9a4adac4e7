import Parallel
import TestSupport
import Testing

@Suite("Functor laws of map")
struct FunctorLawTests {
  private let functions = Generator<PureFunction<Int, Int>>.function(to: .int(in: -99...99))

  @Test("identity: mapping with the identity changes nothing")
  func identity() async throws {
    try await checkProperty("p.map(id) = p", Sample.synchronous) { p in
      answers(of: p.parallel.map { $0 }) == answers(of: p.parallel)
    }
    try await checkProperty("p.map(id) = p, later", Sample.any) { p in
      try await p.parallel.map { $0 }.value() == p.value
    }
  }

  @Test("composition: mapping twice equals mapping with the composition")
  func composition() async throws {
    try await checkProperty("p.map(f).map(g) = p.map(g ∘ f)", Sample.synchronous, functions, functions) { p, f, g in
      answers(of: p.parallel.map { f($0) }.map { g($0) }) == answers(of: p.parallel.map { g(f($0)) })
    }
    try await checkProperty("p.map(f).map(g) = p.map(g ∘ f), later", Sample.any, functions, functions) { p, f, g in
      let twice = try await p.parallel.map { f($0) }.map { g($0) }.value()
      let once = try await p.parallel.map { g(f($0)) }.value()
      return twice == once
    }
  }
}
