/// Waits until something holds that another thread is about to make so, and that nothing tells of.
///
/// What never holds is ended by the time limit of the suite.
func eventually(_ holds: () -> Bool, isolation: isolated (any Actor)? = #isolation) async {
  while !holds() { await Task.yield() }
}
