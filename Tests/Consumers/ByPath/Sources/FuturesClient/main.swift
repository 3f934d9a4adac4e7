import Futures

let promise = Promise<Int, Never>()
let doubled = promise.future.map(immediateExecutionContext) { $0 * 2 }
promise.success(21)
let result = await doubled.get()
precondition(result == 42)
