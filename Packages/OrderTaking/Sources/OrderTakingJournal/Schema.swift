/// The tables, as the steps that create them.
///
/// A file has the number of its steps in `user_version`.
///
/// A release that needs other tables appends a step, and never changes an earlier one. Each step changes a declaration, so that a
/// corrupt version is not taken for a later one.
struct Schema {
  let steps: [String]
  let declarations: [[[Database.Value]]]

  init(steps: [String]) {
    self.steps = steps
    let database = try? Database(at: ":memory:")
    declarations =
      [[]]
      + steps.map { step in
        guard let database, (try? database.execute(step)) != nil else { return [[]] }
        return (try? JournalStorage.declarations(in: database)) ?? [[]]
      }
  }

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
    // `put_at` is in nanoseconds since 1970, `put_uptime` in nanoseconds since the start of the machine. With the first
    // index and the number `open`, the cost of opening does not depend on the delivered records. The second index does
    // the same for the cost of their removal.
    """
    ALTER TABLE takings ADD COLUMN put_at INTEGER;
    ALTER TABLE takings ADD COLUMN put_uptime INTEGER;
    ALTER TABLE takings ADD COLUMN boot INTEGER;
    CREATE INDEX takings_open ON takings (begun_at) WHERE substr(change, 1, 5) <> 'told ';
    CREATE INDEX takings_removable ON takings (begun_at) WHERE substr(change, 1, 5) = 'told ' AND change <> 'told unknown';
    ALTER TABLE tally ADD COLUMN open INTEGER NOT NULL DEFAULT 0;
    UPDATE tally SET open = (SELECT count(*) FROM takings WHERE substr(change, 1, 5) <> 'told ');
    DROP TRIGGER taking_added;
    DROP TRIGGER taking_forgotten;
    CREATE TRIGGER taking_added AFTER INSERT ON takings BEGIN
      UPDATE tally SET takings = takings + 1, open = open + (substr(new.change, 1, 5) <> 'told ');
    END;
    CREATE TRIGGER taking_changed AFTER UPDATE OF change ON takings
    WHEN (substr(old.change, 1, 5) = 'told ') <> (substr(new.change, 1, 5) = 'told ') BEGIN
      UPDATE tally SET open = open - (substr(old.change, 1, 5) <> 'told ') + (substr(new.change, 1, 5) <> 'told ');
    END;
    CREATE TRIGGER taking_removed AFTER DELETE ON takings BEGIN
      UPDATE tally SET takings = takings - 1, open = open - (substr(old.change, 1, 5) <> 'told ');
    END;
    ALTER TABLE origin ADD COLUMN checksum TEXT;
    CREATE TABLE loss (id INTEGER PRIMARY KEY CHECK (id = 2), report TEXT NOT NULL, checksum TEXT NOT NULL) STRICT;
    """,
    // `kept` is whether a record must stay: it is open, or its outcome is unknown. `loss` is whether the other table has a report,
    // because a damaged page can hide the report.
    """
    DROP TRIGGER taking_added;
    DROP TRIGGER taking_changed;
    DROP TRIGGER taking_removed;
    DROP INDEX takings_open;
    ALTER TABLE takings ADD COLUMN kept INTEGER NOT NULL
      AS (substr(change, 1, 5) <> 'told ' OR change = 'told unknown');
    CREATE INDEX takings_kept ON takings (begun_at) WHERE kept;
    ALTER TABLE tally RENAME COLUMN open TO kept;
    ALTER TABLE tally ADD COLUMN loss INTEGER NOT NULL DEFAULT 0;
    UPDATE tally SET kept = (SELECT count(*) FROM takings WHERE kept), loss = (SELECT count(*) FROM loss);
    CREATE TRIGGER taking_added AFTER INSERT ON takings BEGIN
      UPDATE tally SET takings = takings + 1, kept = kept + new.kept;
    END;
    CREATE TRIGGER taking_changed AFTER UPDATE OF change ON takings WHEN old.kept <> new.kept BEGIN
      UPDATE tally SET kept = kept - old.kept + new.kept;
    END;
    CREATE TRIGGER taking_removed AFTER DELETE ON takings BEGIN
      UPDATE tally SET takings = takings - 1, kept = kept - old.kept;
    END;
    """,
  ])
}
