import Parallel
import TestSupport
import Testing

@Suite("Monad laws of flatMap")
struct MonadLawTests {
  private let synchronous = Generator<PureFunction<Int, Sample>>.function(to: Sample.synchronous)
  private let any = Generator<PureFunction<Int, Sample>>.function(to: Sample.any)

  @Test("left identity: flatMap on a ready value calls the function with it")
  func leftIdentity() async throws {
    try await checkProperty("value(x).flatMap(f) = f(x)", .int(in: -99...99), synchronous) { x, f in
      answers(of: Parallel(value: x).flatMap { f($0).parallel }) == answers(of: f(x).parallel)
    }
    try await checkProperty("value(x).flatMap(f) = f(x), later", .int(in: -99...99), any) { x, f in
      try await Parallel(value: x).flatMap { f($0).parallel }.value() == f(x).value
    }
  }

  @Test("right identity: flatMap to a ready value changes nothing")
  func rightIdentity() async throws {
    try await checkProperty("p.flatMap(value) = p", Sample.synchronous) { p in
      answers(of: p.parallel.flatMap { Parallel(value: $0) }) == answers(of: p.parallel)
    }
    try await checkProperty("p.flatMap(value) = p, later", Sample.any) { p in
      try await p.parallel.flatMap { Parallel(value: $0) }.value() == p.value
    }
  }

  @Test("associativity: grouping a chain of flatMaps differently changes nothing")
  func associativity() async throws {
    func left(_ p: Sample, _ f: PureFunction<Int, Sample>, _ g: PureFunction<Int, Sample>) -> Parallel<Int> {
      p.parallel.flatMap { f($0).parallel }.flatMap { g($0).parallel }
    }
    func right(_ p: Sample, _ f: PureFunction<Int, Sample>, _ g: PureFunction<Int, Sample>) -> Parallel<Int> {
      p.parallel.flatMap { f($0).parallel.flatMap { g($0).parallel } }
    }
    try await checkProperty("(p >>= f) >>= g = p >>= (f >=> g)", Sample.synchronous, synchronous, synchronous) {
      p, f, g in
      answers(of: left(p, f, g)) == answers(of: right(p, f, g))
    }
    try await checkProperty("(p >>= f) >>= g = p >>= (f >=> g), later", Sample.any, any, any) { p, f, g in
      let grouped = try await left(p, f, g).value()
      let nested = try await right(p, f, g).value()
      return grouped == nested
    }
  }

  @Test("map equals flatMap to a ready value")
  func mapFromFlatMap() async throws {
    let functions = Generator<PureFunction<Int, Int>>.function(to: .int(in: -99...99))
    try await checkProperty("p.map(f) = p.flatMap(value ∘ f)", Sample.any, functions) { p, f in
      let mapped = try await p.parallel.map { f($0) }.value()
      let flatMapped = try await p.parallel.flatMap { Parallel(value: f($0)) }.value()
      return mapped == flatMapped
    }
  }
}
