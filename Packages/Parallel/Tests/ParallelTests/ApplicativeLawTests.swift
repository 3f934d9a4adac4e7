import Parallel
import TestSupport
import Testing

@Suite("Applicative laws of zip")
struct ApplicativeLawTests {
  private let functions = Generator<PureFunction<Int, Int>>.function(to: .int(in: -99...99))

  @Test("identity: zipping with an empty tuple changes only the shape of the value")
  func identity() async throws {
    try await checkProperty("zip(p), zip((), p) and zip(p, ()) are p", Sample.any) { p in
      let alone = try await zip(p.parallel).value()
      let (_, right) = try await zip(zip(), p.parallel).value()
      let (left, _) = try await zip(p.parallel, zip()).value()
      return (alone, right, left) == (p.value, p.value, p.value)
    }
    try await checkProperty("the same, at once", Sample.synchronous) { p in
      answers(of: zip(zip(), p.parallel, with: { $1 })) == answers(of: p.parallel)
    }
  }

  @Test("naturality: mapping before a zip equals mapping after it")
  func naturality() async throws {
    try await checkProperty(
      "zip(p.map(f), q.map(g)) = zip(p, q).map(f × g)", Sample.any, Sample.any, functions, functions
    ) { p, q, f, g in
      let before = try await zip(p.parallel.map { f($0) }, q.parallel.map { g($0) }).value()
      let after = try await zip(p.parallel, q.parallel).map { (f($0.0), g($0.1)) }.value()
      return before == after
    }
    try await checkProperty("the same, at once", Sample.synchronous, Sample.synchronous, functions, functions) {
      p, q, f, g in
      answers(of: zip(p.parallel.map { f($0) }, q.parallel.map { g($0) }, with: { [$0, $1] }))
        == answers(of: zip(p.parallel, q.parallel, with: { [f($0), g($1)] }))
    }
  }

  @Test("associativity: grouping zips differently changes only the shape of the value")
  func associativity() async throws {
    try await checkProperty("zip(zip(p, q), r) ≅ zip(p, zip(q, r)) ≅ zip(p, q, r)", Sample.any, Sample.any, Sample.any)
    {
      p, q, r in
      let ((a, b), c) = try await zip(zip(p.parallel, q.parallel), r.parallel).value()
      let (d, (e, f)) = try await zip(p.parallel, zip(q.parallel, r.parallel)).value()
      let flat = try await zip(p.parallel, q.parallel, r.parallel).value()
      return flat == (a, b, c) && flat == (d, e, f) && flat == (p.value, q.value, r.value)
    }
  }

  @Test("zip with a function equals zip and then map")
  func withFunction() async throws {
    try await checkProperty("zip(p, q, with: f) = zip(p, q).map(f)", Sample.any, Sample.any) { p, q in
      let with = try await zip(p.parallel, q.parallel, with: { $0 &- $1 }).value()
      let mapped = try await zip(p.parallel, q.parallel).map { $0.0 &- $0.1 }.value()
      return with == mapped
    }
  }

  @Test("zip has the same values as flatMap, which runs one parallel after the other")
  func agreesWithFlatMap() async throws {
    try await checkProperty("zip(p, q) = p >>= { a in q.map { b in (a, b) } }", Sample.any, Sample.any) { p, q in
      let zipped = try await zip(p.parallel, q.parallel).value()
      let chained = try await p.parallel.flatMap { a in q.parallel.map { b in (a, b) } }.value()
      return zipped == chained
    }
  }
}
