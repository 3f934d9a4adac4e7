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
  func missingChildIsReportedEachTime(boasts: Bool) {
    let log = Reports()
    let navigator = Navigator<Plain>(report: { log.all.append($0) })
    navigator.start("root") { (context: CoordinatorContext<Plain, Int>) in
      Stage.Actor(context, restoring: { _, _ in boasts }, onStart: { $0.push(.screen(.first)) })
    }
    for _ in 1...2 {
      navigator.apply(.show(.stack([.screen(.first), .screen(.third).owned(by: "root/stranger")]).owned(by: "root")))
      navigator.apply(.unwind(to: .coordinator("root")))
    }
    #expect(log.all == [.notRestored("root/stranger"), .notRestored("root/stranger")])
  }

  @Test("a saved navigation restores any number of children")
  func anyNumberOfChildrenIsRestored() throws {
    let children = (0..<300).map { Node<Plain>.screen(.second).owned(by: CoordinatorID("root/\($0)")) }
    let stage = Stage(restoring: try Navigation(.stack(children), owner: "root"), adopts: true)
    #expect(stage.navigator.coordinators.count == 301 && stage.reports.isEmpty)
  }
}
