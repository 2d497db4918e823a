/**
 * Times in epoch milliseconds.
 *
 * `recordings`: one per stream and per substream, with counters that never decrease. `bytes`: of all its files;
 * `longest`: the length of its longest chunk, milliseconds; before `settled`, files and rows agree. Once its stream is
 * removed, `name`, `owner` and `depth_hours` are those of the stream. A recording that is `purged` is hidden and being
 * deleted; 2: the disks of other nodes have their garbage rows.
 *
 * `runs`: segments of one init. `key` identifies a run in files; `first` is the start of its first segment.
 *
 * `chunks`: about a minute of a run in one file. `segments` is the packed table of its segments.
 *
 * `volumes`: where chunks lie; 0 is the data folder. A file on any other volume has its `key`. In a cluster a folder
 * is on the disk of a `node`. `listed_at`: when the objects of a bucket were last compared with the rows.
 *
 * `holdings`: the bytes of a recording on each volume but 0, which has the rest.
 *
 * `archive_locks`: locks, also of streams that were removed.
 *
 * `garbage`: chunks in buckets, or on the disks of other nodes, that have no rows any more and are to be removed; with
 * the lowest start the whole recording.
 *
 * `annotations`: those with a `source` came from a detector. `box` is JSON.
 *
 * `annotation_snapshots`: the pictures that detectors sent with their annotations.
 *
 * `segments`: those of older versions, until they are converted to chunks. Each is a file or a part of one; `passing`
 * ones were for live only. Triggers add the bytes of a segment that starts before `counted` to its recording;
 * `countSome` adds those of the others.
 */
export const archiveSteps: readonly string[] = [
  `CREATE TABLE recordings (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    next_sequence INTEGER NOT NULL, next_discontinuity INTEGER NOT NULL, target_duration INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    recording INTEGER NOT NULL REFERENCES recordings (id) ON DELETE CASCADE,
    init BLOB NOT NULL, codecs TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
    has_sound INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX runs_recording ON runs (recording);
  CREATE TABLE segments (
    recording INTEGER NOT NULL REFERENCES recordings (id) ON DELETE CASCADE,
    start INTEGER NOT NULL, finish INTEGER NOT NULL, duration REAL NOT NULL, media_start REAL NOT NULL,
    run INTEGER NOT NULL REFERENCES runs (id),
    passing INTEGER NOT NULL, bytes INTEGER NOT NULL, file TEXT NOT NULL, place INTEGER NOT NULL,
    PRIMARY KEY (recording, start)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX segments_run ON segments (run);
  CREATE INDEX segments_file ON segments (recording, file);
  CREATE INDEX segments_start ON segments (start);
  CREATE TABLE annotations (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL, type TEXT NOT NULL, time INTEGER NOT NULL, time_end INTEGER
  ) STRICT;
  CREATE INDEX annotations_time ON annotations (uid, time);`,
  `ALTER TABLE recordings ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE recordings ADD COLUMN counted INTEGER NOT NULL DEFAULT 9007199254740991;
  ALTER TABLE recordings ADD COLUMN longest INTEGER NOT NULL DEFAULT 120000;
  ALTER TABLE recordings ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE recordings ADD COLUMN name TEXT NOT NULL DEFAULT '';
  ALTER TABLE recordings ADD COLUMN owner TEXT;
  ALTER TABLE recordings ADD COLUMN depth_hours REAL NOT NULL DEFAULT -1;
  ALTER TABLE recordings ADD COLUMN purged INTEGER NOT NULL DEFAULT 0;
  UPDATE recordings SET counted = -1;
  CREATE TRIGGER segments_added AFTER INSERT ON segments BEGIN
    UPDATE recordings SET bytes = bytes + new.bytes WHERE id = new.recording AND new.start < counted;
  END;
  CREATE TRIGGER segments_removed AFTER DELETE ON segments BEGIN
    UPDATE recordings SET bytes = bytes - old.bytes WHERE id = old.recording AND old.start < counted;
  END;
  ALTER TABLE runs ADD COLUMN key TEXT NOT NULL DEFAULT '';
  ALTER TABLE runs ADD COLUMN first INTEGER;
  UPDATE runs SET key = lower(hex(randomblob(16))), first = (
    SELECT start FROM segments WHERE segments.run = runs.id AND segments.recording = runs.recording
    ORDER BY start LIMIT 1);
  CREATE INDEX runs_first ON runs (recording, first);
  CREATE INDEX runs_key ON runs (recording, key);
  DROP INDEX segments_start;
  CREATE INDEX segments_passing ON segments (start) WHERE passing = 1;
  CREATE INDEX annotations_end ON annotations (uid, time_end);
  CREATE INDEX annotations_long ON annotations (uid, time_end) WHERE time_end - time > 600000;`,
  `CREATE TABLE chunks (
    recording INTEGER NOT NULL REFERENCES recordings (id) ON DELETE CASCADE,
    start INTEGER NOT NULL, finish INTEGER NOT NULL, run INTEGER NOT NULL REFERENCES runs (id),
    bytes INTEGER NOT NULL, segments BLOB NOT NULL,
    PRIMARY KEY (recording, start)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX chunks_run ON chunks (run);`,
  `CREATE TABLE volumes (
    id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, path TEXT NOT NULL,
    missing INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO volumes (id, key, path) VALUES (0, '', '');
  CREATE TABLE holdings (
    recording INTEGER NOT NULL REFERENCES recordings (id) ON DELETE CASCADE,
    volume INTEGER NOT NULL, bytes INTEGER NOT NULL,
    PRIMARY KEY (recording, volume)
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE chunks ADD COLUMN volume INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX chunks_volume ON chunks (recording, volume, start);`,
  `ALTER TABLE annotations ADD COLUMN label TEXT NOT NULL DEFAULT '';
  ALTER TABLE annotations ADD COLUMN score REAL;
  ALTER TABLE annotations ADD COLUMN box TEXT;
  ALTER TABLE annotations ADD COLUMN source TEXT NOT NULL DEFAULT '';
  CREATE INDEX annotations_found ON annotations (time, id, uid, type);
  CREATE INDEX annotations_labelled ON annotations (label, time, id, uid, type) WHERE label <> '';
  CREATE INDEX annotations_given ON annotations (uid, time) WHERE source <> '';`,
  `CREATE TABLE archive_locks (
    id TEXT PRIMARY KEY,
    uid TEXT NOT NULL, start INTEGER NOT NULL, finish INTEGER NOT NULL, reason TEXT NOT NULL,
    expires INTEGER, login TEXT NOT NULL, created INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX archive_locks_uid ON archive_locks (uid, start, id);`,
  `CREATE TABLE garbage (
    volume INTEGER NOT NULL, uid TEXT NOT NULL, start INTEGER NOT NULL,
    PRIMARY KEY (volume, uid, start)
  ) STRICT, WITHOUT ROWID;`,
  'ALTER TABLE volumes ADD COLUMN node TEXT',
  `CREATE TABLE annotation_snapshots (
    annotation INTEGER NOT NULL PRIMARY KEY REFERENCES annotations (id) ON DELETE CASCADE,
    uid TEXT NOT NULL, media_type TEXT NOT NULL, bytes BLOB NOT NULL
  ) STRICT;
  CREATE INDEX annotation_snapshots_uid ON annotation_snapshots (uid, annotation);`,
  'ALTER TABLE volumes ADD COLUMN listed_at INTEGER NOT NULL DEFAULT 0',
]
