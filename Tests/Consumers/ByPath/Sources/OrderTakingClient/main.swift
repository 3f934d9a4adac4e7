import OrderTaking

var operation = TakingOperation(key: IdempotencyKey(high: 1, low: 2))
let now = Moment(sinceEpoch: .seconds(1_700_000_000), sinceBoot: .seconds(60), boot: 1)
let effects = operation.handle(.begin, at: now, under: .standard)
precondition(effects.contains(.persist(.begun)), "The operation records nothing: \(effects)")
