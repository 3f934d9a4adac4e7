/// The tables, as the steps that lead to them: a file says in its `user_version` how many it has gone.
///
/// A release that needs other tables appends a step; those that are here are never changed.
struct Schema {
  var steps: [String]

  static let current = Schema(steps: [
    """
    CREATE TABLE takings (
      id INTEGER PRIMARY KEY,
      order_id TEXT NOT NULL UNIQUE,
      key TEXT NOT NULL,
      body BLOB NOT NULL,
      begun_at INTEGER NOT NULL,
      change TEXT NOT NULL,
      detail TEXT NOT NULL,
      checksum TEXT NOT NULL
    ) STRICT;
    CREATE TABLE tally (id INTEGER PRIMARY KEY CHECK (id = 1), takings INTEGER NOT NULL) STRICT;
    INSERT INTO tally VALUES (1, 0);
    CREATE TRIGGER taking_added AFTER INSERT ON takings BEGIN
      UPDATE tally SET takings = takings + 1;
    END;
    CREATE TRIGGER taking_forgotten AFTER DELETE ON takings BEGIN
      UPDATE tally SET takings = takings - 1;
    END;
    """,
    """
    CREATE TABLE origin (id INTEGER PRIMARY KEY CHECK (id = 1), server TEXT NOT NULL) STRICT;
    """,
  ])
}
