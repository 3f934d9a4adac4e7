import PRODUCT

struct Line: Sendable { var price = 1.0 }
struct Order: Sendable {
  var lines: [Line] = []
  var total = 1.0
}
struct User: Sendable { var name = "" }
enum ShopError: Error { case noUser, noOrder }

func login(_ name: String) -> Future<String, ShopError> { Future(value: name) }
func user(_ id: String) -> Future<User, ShopError> { Future(value: User()) }
func orders(_ user: User) -> Future<[Order], ShopError> { Future(value: []) }
func save(_ total: Double) -> Future<Double, ShopError> { Future(value: total) }
func step(_ number: Int) -> Future<Int, ShopError> { Future(value: number) }
func check(_ number: Int) -> Result<Int, ShopError> { .success(number) }
