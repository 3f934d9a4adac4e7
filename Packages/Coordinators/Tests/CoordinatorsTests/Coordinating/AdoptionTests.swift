import Testing

@testable import Coordinators

/// A coordinator restores a child that has screens but does not run; otherwise the missing child is reported.
@MainActor
@Suite("Restoring children for existing screens")
struct AdoptionTests {
  private final class Reports {
    var all: [CoordinatorReport] = []
  }

  @Test("a child that is not restored is reported each time its screens appear", arguments: [false, true])
  func missingChildIsReportedEachTime(boasts: Bool) throws {
    let log = Reports()
    let navigator = Navigator<Plain>(report: { log.all.append($0) })
    navigator.start("root") { Adopting($0, makes: boasts ? nil : false) }
    for _ in 1...2 {
      navigator.apply(.show(.stack([.screen(.first), .screen(.third).owned(by: "root/stranger")]).owned(by: "root")))
      navigator.apply(.unwind(to: .coordinator("root")))
    }
    #expect(log.all == [.notRestored("root/stranger"), .notRestored("root/stranger")])
  }

  @Test("a saved navigation restores any number of children")
  func anyNumberOfChildrenIsRestored() throws {
    let count = 300
    let children = (0..<count).map { Node<Plain>.screen(.second).owned(by: CoordinatorID("root/\($0)")) }
    let log = Reports()
    let navigator = Navigator<Plain>(
      restoring: try Navigation(.stack(children), owner: "root"),
      report: { log.all.append($0) })
    navigator.start("root") { Adopting($0) }
    #expect(navigator.coordinators.count == count + 1 && log.all.isEmpty)
  }
}

/// A coordinator that restores every child, or none, or returns true without restoring any.
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
