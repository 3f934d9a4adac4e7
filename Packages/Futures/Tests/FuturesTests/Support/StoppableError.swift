import Futures

enum StoppableError: Error, Equatable, CancellationRepresentable {
  case failed
  case stopped
  static var cancellation: StoppableError { .stopped }
}
