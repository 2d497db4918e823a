/**
 * `motion`: the motion index of a chunk (grid-record.ts), deleted with it. `cells` is empty if the chunk's pictures
 * couldn't be decoded.
 */
export const motionSteps: readonly string[] = [
  `CREATE TABLE motion (
    recording INTEGER NOT NULL, start INTEGER NOT NULL, finish INTEGER NOT NULL, cells BLOB NOT NULL,
    PRIMARY KEY (recording, start),
    FOREIGN KEY (recording, start) REFERENCES chunks (recording, start) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;`,
]
