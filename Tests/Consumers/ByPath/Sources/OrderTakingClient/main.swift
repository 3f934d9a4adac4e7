import OrderTaking

var operation = TakingOperation(key: IdempotencyKey(high: 1, low: 2))
let now = Moment(sinceEpoch: .seconds(1_700_000_000), sinceBoot: .seconds(60), boot: 1)
let effects = operation.handle(.begin, at: now, under: .standard)
guard case .persist(.begun)? = effects.first else { fatalError("The journal is not the first: \(effects)") }
