import Parallel
import TestSupport
import Testing

@Suite("Laws of parallels that call back at once or later")
struct LawTests {
  private let functions = Generator<PureFunction<Int, Int>>.function(to: .int(in: -99...99))
  private let arrows = Generator<PureFunction<Int, Sample>>.function(to: Sample.any)

  @Test("applicative: grouping zips differently changes only the shape of the value")
  func applicativeAssociativity() async throws {
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

  @Test("monad: a ready value is the left and the right identity of flatMap")
  func monadIdentity() async throws {
    try await checkProperty("value(x).flatMap(f) = f(x)", .int(in: -99...99), arrows) { x, f in
      try await Parallel(value: x).flatMap { f($0).parallel }.value() == f(x).value
    }
    try await checkProperty("p.flatMap(value) = p", Sample.any) { p in
      try await p.parallel.flatMap { Parallel(value: $0) }.value() == p.value
    }
  }

  @Test("monad: grouping a chain of flatMaps differently changes nothing")
  func monadAssociativity() async throws {
    try await checkProperty("(p >>= f) >>= g = p >>= (f >=> g)", Sample.any, arrows, arrows) { p, f, g in
      let grouped = try await p.parallel.flatMap { f($0).parallel }.flatMap { g($0).parallel }.value()
      let nested = try await p.parallel.flatMap { f($0).parallel.flatMap { g($0).parallel } }.value()
      return grouped == nested
    }
  }

  @Test("map equals flatMap to a ready value")
  func mapFromFlatMap() async throws {
    try await checkProperty("p.map(f) = p.flatMap(value ∘ f)", Sample.any, functions) { p, f in
      let mapped = try await p.parallel.map { f($0) }.value()
      let flatMapped = try await p.parallel.flatMap { Parallel(value: f($0)) }.value()
      return mapped == flatMapped
    }
  }

  @Test("traverse and sequence return the values in the order of the elements, for any order of arrival")
  func order() async throws {
    let arrivals = Generator<[Sample]>.array(of: Sample.any, count: 0...30)
    try await checkProperty("sequence keeps the order", arrivals) { samples in
      try await samples.map(\.parallel).sequence().value() == samples.map(\.value)
    }
    try await checkProperty("traverse keeps the order", arrivals, .int(in: -2...40)) { samples, limit in
      let values: [Int] = try await samples.traverse(maxConcurrent: limit) { sample in sample.parallel }.value()
      return values == samples.map(\.value)
    }
  }

  @Test("values of synchronous parallels arrive before run returns, through each operator")
  func synchronous() async throws {
    try await checkProperty("answers(op(p)) = [value]", Sample.synchronous, Sample.synchronous) { p, q in
      answers(of: p.parallel.map { $0 + 1 }) == [p.value + 1]
        && answers(of: p.parallel.flatMap { _ in q.parallel }) == [q.value]
        && answers(of: zip(p.parallel, q.parallel, with: { [$0, $1] })) == [[p.value, q.value]]
        && answers(of: [p.parallel, q.parallel].sequence()) == [[p.value, q.value]]
        && answers(of: race(p.parallel, q.parallel)) == [p.value]
    }
  }
}
