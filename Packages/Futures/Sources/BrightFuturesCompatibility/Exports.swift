// One import replaces `import BrightFutures`.

@_exported public import Futures
