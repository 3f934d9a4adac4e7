import Boundaries

let lengths = ["Puffin", "Swift"].traverse { name in Parallel { callback in callback(name.count) } }
let total = await Future(lengths).map(immediateExecutionContext) { $0.reduce(0, +) }.get()
precondition(total == 11)
