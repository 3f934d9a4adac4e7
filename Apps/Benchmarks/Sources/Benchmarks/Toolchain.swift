import BenchmarkHarness
import Foundation

/// The cost of basic operations of the toolchain on this machine, for comparison.
let toolchain: [Benchmark] = [
  Benchmark("malloc+free", budget: .allocations(atMost: 1)) { iterations in
    for _ in 0..<iterations { free(identity(malloc(32))) }
  },
  Benchmark("Task create+await", baseline: "malloc+free") { iterations in
    for index in 0..<iterations { blackHole(await Task { identity(index) }.value) }
  },
  Benchmark("DispatchQueue create", baseline: "malloc+free") { iterations in
    for _ in 0..<iterations { blackHole(DispatchQueue(label: "benchmark")) }
  },
]
