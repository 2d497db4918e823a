/**
 * `node_state`: whether a server without a cluster is drained. `nodes`: the servers of a cluster; `instance` changes at
 * each start, `left_at` is null unless the node has stopped, and `facts` is JSON (NodeFacts); removing a node deletes
 * its row. `leases`: which node records a stream, until when and why (LeaseReason). The row stays when the lease ends,
 * so that its epoch only grows; `next_node` takes over at its first keyframe. `leadership`: which node leads, until
 * when. Their moments are epoch milliseconds of the database's clock.
 *
 * `site_keys`: the key files that all nodes share, encrypted by CLUSTER_SECRET. `throttles`: how many `attempts` were
 * left at `counted_at`; `id` is a hash of the throttle's name and of whose attempts they are. At `expires` all are left
 * again. Both moments are of the clock of the node that wrote them.
 */
export const clusterSteps: readonly string[] = [
  'CREATE TABLE node_state (id INTEGER PRIMARY KEY CHECK (id = 1), is_drained INTEGER NOT NULL) STRICT',
  `CREATE TABLE nodes (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL, url TEXT NOT NULL, version TEXT NOT NULL, instance TEXT NOT NULL,
    beat_at INTEGER NOT NULL, is_drained INTEGER NOT NULL, left_at INTEGER, facts TEXT NOT NULL
  ) STRICT;
  CREATE TABLE leases (
    uid TEXT PRIMARY KEY,
    node TEXT NOT NULL, epoch INTEGER NOT NULL, expires INTEGER NOT NULL, since INTEGER NOT NULL,
    reason TEXT NOT NULL, next_node TEXT, next_reason TEXT
  ) STRICT;
  CREATE INDEX leases_node ON leases (node);
  CREATE TABLE leadership (
    id INTEGER PRIMARY KEY CHECK (id = 1), node TEXT NOT NULL, expires INTEGER NOT NULL
  ) STRICT;`,
  `CREATE TABLE site_keys (name TEXT PRIMARY KEY, sealed BLOB NOT NULL) STRICT;
  CREATE TABLE throttles (
    id BLOB PRIMARY KEY, attempts INTEGER NOT NULL, counted_at INTEGER NOT NULL, expires INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX throttles_expires ON throttles (expires);`,
]
