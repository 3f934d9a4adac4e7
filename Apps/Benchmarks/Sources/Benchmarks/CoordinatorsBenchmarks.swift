import BenchmarkHarness
import Coordinators

/// The benchmarks of links, against a linear search of the same links.
let coordinators: [Benchmark] = [
  Benchmark("link: last of 1,000, linear search") { iterations in
    for _ in 0..<iterations { blackHole(linearTrial(identity(lastLink))) }
  },
  Benchmark("link: last of 1,000, allocations", budget: .allocations(atMost: 20), body: resolve(lastLink)),
  resolving("first", firstLink),
  resolving("middle", middleLink),
  resolving("last", lastLink),
  resolving("none", "bench://area24/thing999x/12345?ref=push"),
  Benchmark("link: describe the error among 1,000", body: fail("push")),
  Benchmark("link: 0.5 MB without a match", body: fail(String(repeating: "v=%41&", count: 83_333))),
  Benchmark(
    "link: 1 MB without a match", baseline: "link: 0.5 MB without a match",
    budget: .ratio(atMost: 2.5), body: fail(String(repeating: "v=%41&", count: 166_667))),
  Benchmark(
    "link: print the first of 1,000", budget: .allocations(atMost: 6),
    body: print(BenchRoute(kind: 0, id: 12_345, ref: "push"), flat)),
  Benchmark(
    "link: print the last of 1,000, with a switch", baseline: "link: print the first of 1,000",
    budget: .ratio(atMost: 1.5), body: print(BenchRoute(kind: 999, id: 12_345, ref: "push"), switched)),
  Benchmark(
    "link: print the last of 1,000", baseline: "link: print the first of 1,000",
    body: print(BenchRoute(kind: 999, id: 12_345, ref: "push"), flat)),
  Benchmark(
    "link: print the last of 1,000, in 25 groups", baseline: "link: print the first of 1,000",
    body: print(BenchRoute(kind: 999, id: 12_345, ref: "push"), grouped)),
]

/// The resolution of a link.
///
/// The budget, 1/40 of the linear search, is about 5 microseconds.
private func resolving(_ name: String, _ link: String) -> Benchmark {
  Benchmark(
    "link: \(name) of 1,000", baseline: "link: last of 1,000, linear search", budget: .ratio(atMost: 0.025),
    body: resolve(link))
}

private struct BenchRoute: Hashable, Sendable {
  var kind: Int
  var id: Int
  var ref: String?
}

private func link(_ kind: Int, _ template: String) -> Link<BenchRoute> {
  Link(template, .int, .optional(.string)) {
    BenchRoute(kind: kind, id: $0, ref: $1)
  } from: {
    $0.kind == kind ? ($0.id, $0.ref) : nil
  }
}

private let flat = Links<BenchRoute>(scheme: "bench") {
  for kind in 0..<1_000 { link(kind, "area\(kind / 40)/thing\(kind)/:id?ref=:ref") }
}

private let thousand = (0..<1_000).map { link($0, "area\($0 / 40)/thing\($0)/:id?ref=:ref") }

private let switched = Links<BenchRoute>(scheme: "bench") {
  for link in thousand { link }
} linkFor: {
  thousand[$0.kind]
}

private let grouped = Links<BenchRoute>(scheme: "bench") {
  for area in 0..<25 {
    LinkGroup(
      "area\(area)",
      Links<BenchRoute>.declarations {
        for kind in area * 40..<area * 40 + 40 { link(kind, "thing\(kind)/:id?ref=:ref") }
      }
    ) {
      $0
    } from: {
      $0.kind / 40 == area ? $0 : nil
    }
  }
}

private let single = (0..<1_000).map { kind in
  Links<BenchRoute>(scheme: "bench") { link(kind, "area\(kind / 40)/thing\(kind)/:id?ref=:ref") }
}

private let firstLink = "bench://area0/thing0/12345?ref=push"
private let middleLink = "bench://area12/thing500/12345?ref=push"
private let lastLink = "bench://area24/thing999/12345?ref=push"

private func linearTrial(_ link: String) -> BenchRoute? {
  for links in single { if let route = try? links.route(for: link) { return route } }
  return nil
}

private func resolve(_ link: String) -> @Sendable (Int) async -> Void {
  { iterations in for _ in 0..<iterations { blackHole(try? flat.route(for: identity(link))) } }
}

/// Includes the description of the error, which searches the links again.
private func fail(_ query: String) -> @Sendable (Int) async -> Void {
  let link = "bench://area24/thing999/x?ref=\(query)"
  return { iterations in
    for _ in 0..<iterations {
      do { blackHole(try flat.route(for: identity(link))) } catch { blackHole("\(error)") }
    }
  }
}

private func print(_ route: BenchRoute, _ links: Links<BenchRoute>) -> @Sendable (Int) async -> Void {
  { iterations in for _ in 0..<iterations { blackHole(try? links.link(to: identity(route))) } }
}
