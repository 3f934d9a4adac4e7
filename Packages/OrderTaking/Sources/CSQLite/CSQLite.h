#include <sqlite3.h>

/// Closing the connection then leaves the write-ahead log as it is. Swift cannot call functions with variable arguments.
static inline int csqlite_keep_log(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
