import { describe, expect, test } from 'vitest'
import { auditSearch, withLengths } from './administration.machines.ts'
import { auditCsv } from './audit-csv.ts'
import { pathOf } from './audit-target.ts'

const time = Date.parse('2026-11-21T08:00:00.000Z')

describe('an entry of the audit log', () => {
  test.each([
    [
      'archive.view',
      'gate 2026-11-21T07:00:00.000Z/2026-11-21T07:05:00.000Z',
      '/stream/gate/view?at=2026-11-21T07%3A00%3A00.000Z',
    ],
    ['archive.preview', 'gate 2026-11-21T07:00:00.000Z', '/stream/gate/view?at=2026-11-21T07%3A00%3A00.000Z'],
    ['stream.view', 'gate', '/stream/gate/view?at=2026-11-21T08%3A00%3A00.000Z'],
    ['stream.change', 'a/b', '/stream/a%2Fb/info'],
    ['stream.delete', 'gate', null],
    ['bookmark.create', 'gate', '/stream/gate/info'],
    ['bookmark.change', '17', null],
    ['event.create', 'gate', '/stream/gate/info'],
    ['event.delete', '17', null],
    ['user.block', 'ann', '/user/ann/info'],
    ['mosaic.change', 'm', '/mosaic/m'],
    ['node.drain', 'local', '/administration/cluster'],
    ['session.sign-in', '', null],
    ['token.create', 't', null],
  ])('%s of %s leads to %s', (action, target, path) => {
    expect(pathOf({ action, target, time })).toBe(path)
  })

  test('about a renamed user leads to the present login', () => {
    expect(pathOf({ action: 'user.change', target: 'bob', name: 'rob', time })).toBe('/user/rob/info')
  })

  test('is exported so that no spreadsheet takes a cell for a formula', () => {
    const plain = {
      id: '1',
      time,
      login: '=1+1',
      action: 'a.b',
      target: 'say "hi"',
      name: 'Gate',
      ip: '::1',
      outcome: 'ok',
    }
    const full = {
      ...plain,
      login: 'ann',
      userId: 'u1',
      userName: 'anna',
      targetId: 't1',
      claimed: '@x',
      times: 3,
      endTime: time,
      bytes: 5,
      changes: [{ path: 'mail.port', from: '25', to: '465' }, { path: 'password' }],
    }
    expect(auditCsv([plain, full]).split('\r\n')).toEqual([
      'time,login,action,target,name,ip,outcome,userId,loginNow,targetId,claimed,changes,times,endTime,bytes',
      `"2026-11-21T08:00:00.000Z","'=1+1","a.b","say ""hi""","Gate","::1","ok"${',""'.repeat(8)}`,
      '"2026-11-21T08:00:00.000Z","ann","a.b","say ""hi""","Gate","::1","ok","u1","anna","t1","\'@x",' +
        '"mail.port: 25 → 465\npassword:  → ","3","2026-11-21T08:00:00.000Z","5"',
      '',
    ])
  })

  test('names the nodes of a cluster', () => {
    const entry = { id: '1', time, login: 'ann', action: 'a.b', target: '', name: '', ip: '', outcome: 'ok' }
    const lines = auditCsv([{ ...entry, node: 'north' }, entry]).split('\r\n')
    expect(lines.map((line) => line.split(',').at(-1))).toEqual(['node', '"north"', '""', ''])
  })

  test('is filtered by the address', () => {
    expect(auditSearch({ page: 2, from: time, to: null, login: 'ann', action: 'archive' })).toBe(
      '?page=2&from=2026-11-21T08%3A00%3A00.000Z&login=ann&action=archive',
    )
    expect(auditSearch({ page: 1, from: null, to: null, login: '', action: '' })).toBe('')
  })
})

test('a server that reports no lengths has the entries up to a page, and more after a full one', () => {
  const entry = { login: 'ann', action: 'stream.view', target: 'gate', name: '', ip: '', outcome: 'ok' }
  const entries = (count: number) => Array.from({ length: count }, (_, index) => ({ ...entry, id: String(index) }))
  const read = (page: number, items: ReturnType<typeof entries>, lengths = { page: 1, pageSize: 50, total: 0 }) => {
    const { hasMore = false, ...answer } = withLengths({ items, ...lengths }, page)
    return [answer.page, answer.pageSize, answer.total, hasMore]
  }
  expect([
    read(1, entries(2)),
    read(2, entries(50)),
    read(3, []),
    read(1, []),
    read(2, entries(2), { page: 2, pageSize: 25, total: 120 }),
  ]).toEqual([
    [1, 50, 2, false],
    [2, 50, 100, true],
    [3, 50, 100, false],
    [1, 50, 0, false],
    [2, 25, 120, false],
  ])
})
