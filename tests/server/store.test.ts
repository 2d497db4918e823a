import { describe, expect, test } from 'vitest'
import { maskSecrets } from '../../server/http/log.ts'
import { inTransaction, migrate } from '../../server/store/database.ts'
import { openDatabase } from '../../server/store/sqlite.ts'
import { createThrottle, hostOf } from '../../server/users/throttle.ts'

describe('migrations', () => {
  const first = 'CREATE TABLE a (x INTEGER)'
  const second = 'ALTER TABLE a ADD COLUMN y INTEGER'

  test('run each step once, in order, for each concern of its own', () => {
    const db = openDatabase(':memory:')
    migrate(db, 'a', [first])
    migrate(db, 'a', [first, second])
    migrate(db, 'a', [first, second])
    migrate(db, 'b', ['CREATE TABLE b (x INTEGER)'])
    expect(
      db
        .prepare('SELECT concern, version FROM migrations ORDER BY concern')
        .all()
        .map((row) => ({ ...row })),
    ).toEqual([
      { concern: 'a', version: 2 },
      { concern: 'b', version: 1 },
    ])
  })

  test('are undone as a whole where a step fails, and refuse a newer file', () => {
    const db = openDatabase(':memory:')
    expect(() => migrate(db, 'a', [first, 'NONSENSE'])).toThrow('syntax error')
    expect(db.prepare("SELECT name FROM sqlite_master WHERE name = 'a'").all()).toEqual([])
    migrate(db, 'a', [first, second])
    expect(() => migrate(db, 'a', [first])).toThrow(
      'The data folder was written by a newer version (a 2, this one knows 1)',
    )
  })

  test('a transaction inside another undoes its own part alone', () => {
    const db = openDatabase(':memory:')
    db.exec(first)
    inTransaction(db, () => {
      db.exec('INSERT INTO a VALUES (1)')
      expect(() =>
        inTransaction(db, () => {
          db.exec('INSERT INTO a VALUES (2)')
          throw new Error('no')
        }),
      ).toThrow('no')
    })
    expect(
      db
        .prepare('SELECT x FROM a')
        .all()
        .map(({ x }) => x),
    ).toEqual([1])
  })
})

test('logs mask the credentials of addresses and queries', () => {
  expect(maskSecrets('open rtsp://joe:p%40ss@10.0.0.1/a and http://h/x?token=abc&y=1 failed')).toBe(
    'open rtsp://***@10.0.0.1/a and http://h/x?token=***&y=1 failed',
  )
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0db8:1:2::1', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
])('%s counts as %s', (ip, host) => {
  expect(hostOf(ip)).toBe(host)
})

test('a throttle gives its attempts, then one at a time, and takes them back', () => {
  let now = 0
  const throttle = createThrottle(2, 1000, () => now)
  const take = () => throttle.take('a')
  expect([take(), take(), take(), throttle.take('b')]).toEqual([undefined, undefined, 1, undefined])
  now = 1500
  expect([take(), take()]).toEqual([undefined, 1])
  throttle.giveBack('a')
  expect([take(), take()]).toEqual([undefined, 1])
  now = 60_000
  expect([take(), take(), take()]).toEqual([undefined, undefined, 1])
})
