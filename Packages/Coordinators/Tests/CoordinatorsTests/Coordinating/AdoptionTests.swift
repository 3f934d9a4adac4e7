import Testing

@testable import Coordinators

/// Whoever finds screens of a child that does not run makes the child, or is reported.
@MainActor
@Suite("Coordinators whose screens are there")
struct AdoptionTests {
  private final class Reports {
    var all: [CoordinatorReport] = []
  }

  @Test("that nobody makes are reported each time that their screens come", arguments: [false, true])
  func nobodyMakes(boasts: Bool) throws {
    let log = Reports()
    let navigator = Navigator<Plain>(report: { log.all.append($0) })
    navigator.start("root") { Adopting($0, makes: boasts ? nil : false) }
    for _ in 1...2 {
      navigator.apply(.show(.stack([.screen(.first), .screen(.third).owned(by: "root/stranger")]).owned(by: "root")))
      navigator.apply(.unwind(to: .coordinator("root")))
    }
    #expect(log.all == [.notRestored("root/stranger"), .notRestored("root/stranger")])
  }

  @Test("of a saved navigation are adopted, however many they are")
  func adoptedHoweverMany() throws {
    let count = Navigator<Plain>.maximumStarts + 50
    let children = (0..<count).map { Blueprint<Plain>.screen(.second).owned(by: CoordinatorID("root/\($0)")) }
    let log = Reports()
    let navigator = Navigator<Plain>(
      restoring: try Navigation(.stack(children), owner: "root"),
      report: { log.all.append($0) })
    navigator.start("root") { Adopting($0) }
    #expect(navigator.coordinators.count == count + 1 && log.all.isEmpty)
  }
}

/// A coordinator that makes whatever child is asked for, or not, or only says so.
@MainActor
private final class Adopting: Coordinator {
  typealias Screen = Plain
  let context: CoordinatorContext<Plain, Int>
  let makes: Bool?

  init(_ context: CoordinatorContext<Plain, Int>, makes: Bool? = true) {
    self.context = context
    self.makes = makes
  }

  func start() { context.push(.screen(.first)) }

  func restoreChild(_ name: String) -> Bool {
    makes == true ? context.restoreChild(name) { Adopting($0) } : makes == nil
  }
}
