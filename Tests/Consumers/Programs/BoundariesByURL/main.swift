import Boundaries

let birds = ["Puffin", "Swift"].traverse { name in Parallel { callback in callback(name.count) } }
let total = Future(birds).map(immediateExecutionContext) { $0.reduce(0, +) }
print(await total.get())
