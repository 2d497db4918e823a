/**
 * `recordings` is one stream's recording with the numbers that never go back; `runs` are stretches with one init; `segments` are
 * complete files, or places in one. Times are epoch milliseconds, `duration` seconds as EXTINF has it.
 * A `passing` segment is there for live only and goes after a while: its stream keeps no archive.
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
    init BLOB NOT NULL, codecs TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, has_sound INTEGER NOT NULL
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
]
