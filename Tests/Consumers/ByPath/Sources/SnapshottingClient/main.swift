import Snapshotting

struct Bird { var name: String }

let strategy = Snapshotting<String, String>.lines.pullback { (bird: Bird) in bird.name }
let snapshot = try await strategy.snapshot(Bird(name: "Puffin")).value()
precondition(snapshot == "Puffin")
precondition(strategy.diffing.diff("Puffin", "Owl") != nil)
