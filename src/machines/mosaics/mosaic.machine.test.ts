import { fromCallback, fromPromise } from 'xstate'
import { describe, expect, test } from 'vitest'
import { Mosaic } from '../../api/contract/mosaic.ts'
import type { Reply } from '../../api/reply.ts'
import { busy, ok, refused, settingsOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { mosaicExportMachine } from '../exports/mosaic-export.machine.ts'
import { mosaicLockMachine } from '../locks/mosaic-lock.machine.ts'
import type { ControllerReport } from '../../api/media/controller/media-controller.ts'
import type { AlarmCommand } from './mosaic.events.ts'
import type { ControllerCommand } from '../player/media.events.ts'
import { mediaMachine } from '../player/media.machine.ts'
import type { TileRef } from './track.events.ts'
import { mosaicMachine } from './mosaic.machine.ts'
import { selectCanLock } from './mosaic.selectors.ts'

const mosaicOf = (statuses: Record<string, string>): Mosaic =>
  Mosaic.parse({
    id: 'm1',
    name: 'Wall',
    meta: { canAdmin: true },
    columns: 2,
    rows: 1,
    cells: Object.keys(statuses).map((streamUid, x) => ({ streamUid, x, y: 0, w: 1, h: 1 })),
    streams: Object.entries(statuses).map(([uid, status]) => ({ uid, status })),
  })

const unanswered = new Promise<Reply<Mosaic>>(() => undefined)

function open(answers: (Reply<Mosaic> | Promise<Reply<Mosaic>>)[], search = '', features: string[] = []) {
  const commands: string[] = []
  const leases: boolean[] = []
  const alarms: AlarmCommand[] = []
  const reports: ((report: ControllerReport) => void)[] = []
  const page = openPage(
    mosaicMachine.provide({
      actors: {
        fetchMosaic: fromPromise(async ({ input }) => {
          leases.push(input.extendLease)
          return answers.shift() ?? refused(500, 'InternalServerError')
        }),
        readEnvironment: fromPromise(async () => ({ now: 1_700_000_000_000, zone: 'Europe/Berlin' })),
        alarm: fromCallback<AlarmCommand>(({ receive }) => receive((order) => alarms.push(order))),
        tile: mediaMachine.provide({
          actors: {
            controller: fromCallback<ControllerCommand>(({ receive, sendBack }) => {
              reports.push(sendBack)
              sendBack({ type: 'picture.resized', width: 480, viewportWidth: 1920, isFull: false })
              receive((command) => {
                if (command.type === 'controller.load')
                  commands.push(['load', command.source.uid, command.source.rendition ?? ''].join(' ').trim())
                if (command.type === 'controller.unload') commands.push('unload')
              })
            }),
          },
        }),
      },
    }),
    {
      ...pageInput({ params: { id: 'm1' } }),
      settings: settingsOf({ features }),
      address: { pathname: '/mosaic/m1', search, hash: '' },
    },
  )
  const report = (one: ControllerReport) => reports.forEach((send) => send(one))
  const show = (type: 'page.hidden' | 'page.shown') => {
    page.send({ type })
    page.ref.getSnapshot().children.poll.send({ type })
  }
  return { ...page, commands, leases, alarms, report, show }
}

describe('watching a mosaic (docs/behaviour.md §10)', () => {
  test('a small tile plays the substream of a stream that has one, from the start', async () => {
    const mosaic = mosaicOf({ gate: 'running', yard: 'running' })
    const streams = (mosaic.streams ?? []).map((stream) =>
      stream.uid === 'gate' ? { ...stream, renditions: ['main', 'sub'] } : stream,
    )
    const { commands } = open([ok({ ...mosaic, streams })])
    await settle()
    expect(commands).toEqual(['load gate sub', 'load yard'])
  })

  test('each tile with an available stream plays it, and the header gets the name', async () => {
    const { commands, received, leases } = open([ok(mosaicOf({ gate: 'running', yard: 'failed' }))])
    await settle()
    expect({ commands, leases, received: received.filter((event) => 'subject' in event) }).toEqual({
      commands: ['load gate'],
      leases: [true],
      received: [{ type: 'page.described', subject: { kind: 'mosaic', id: 'm1', name: 'Wall', canAdmin: true } }],
    })
  })

  test('is polled every 10 s: loads streams that come back, unloads those that go, keeps those that play', async () => {
    const { clock, commands, leases } = open([
      ok(mosaicOf({ gate: 'running', yard: 'failed' })),
      ok(mosaicOf({ gate: 'running', yard: 'running' })),
      ok(mosaicOf({ gate: 'paused', yard: 'running' })),
    ])
    await settle()
    clock.increment(10_000)
    await settle()
    clock.increment(10_000)
    await settle()
    expect({ commands, asked: leases.length }).toEqual({ commands: ['load gate', 'load yard', 'unload'], asked: 3 })
  })

  test('a request without an answer is repeated, each time after twice as long, until one arrives', async () => {
    const { clock, leases, context } = open([unanswered, unanswered, unanswered, unanswered, ok(mosaicOf({}))])
    for (const pause of [9999, 1, 19_999, 1, 40_000, 80_000]) clock.increment(pause)
    await settle()
    expect({ asked: leases.length, name: context().mosaic?.name }).toEqual({ asked: 5, name: 'Wall' })
    clock.increment(10_000)
    expect(leases.length).toBe(6)
  })

  test('the 10 s begin with the request, not with its answer', async () => {
    const slow = Promise.withResolvers<Reply<Mosaic>>()
    const { clock, leases } = open([slow.promise, ok(mosaicOf({}))])
    clock.increment(4000)
    slow.resolve(ok(mosaicOf({})))
    await settle()
    clock.increment(5999)
    const asked = [leases.length]
    clock.increment(1)
    expect([...asked, leases.length]).toEqual([1, 2])
  })

  test('waits as long as the server requires', async () => {
    const { clock, leases } = open([busy(30), ok(mosaicOf({}))])
    await settle()
    clock.increment(29_999)
    const asked = [leases.length]
    clock.increment(1)
    expect([...asked, leases.length]).toEqual([1, 2])
  })

  test('a retry asks at once, also within the pause that the server requires', async () => {
    const { leases, send, context } = open([busy(30), ok(mosaicOf({}))])
    await settle()
    send({ type: 'mosaic.retried' })
    await settle()
    expect({ asked: leases.length, name: context().mosaic?.name }).toEqual({ asked: 2, name: 'Wall' })
  })

  test('with the archive paused it extends no lease, but for a tile that is live and in sight', async () => {
    const mosaic = ok(mosaicOf({ gate: 'running' }))
    const { clock, leases, ref, send } = open([mosaic, mosaic, mosaic, mosaic, mosaic], '?at=2023-11-14T00:00:00Z')
    await settle()
    const key = '0.0.1.1.gate'
    const playback = (event: object) => ref.getSnapshot().children.syncPlayback.send(event)
    const steps = [
      () => playback({ type: 'pause.requested' }),
      () => playback({ type: 'tile.leftLive', key }),
      () => send({ type: 'tile.seen', key, isSeen: false }),
      () => playback({ type: 'play.requested' }),
    ]
    for (const step of steps) {
      step()
      clock.increment(10_000)
      await settle()
    }
    expect(leases).toEqual([true, false, true, false, true])
  })

  test('a tile that leaves the grid stops, and the others go on', async () => {
    const { clock, context } = open([
      ok(mosaicOf({ gate: 'running', yard: 'running' })),
      ok(mosaicOf({ gate: 'running' })),
    ])
    await settle()
    const before = context().tiles
    clock.increment(10_000)
    await settle()
    expect(Object.keys(context().tiles)).toEqual(['0.0.1.1.gate'])
    expect(before['1.0.1.1.yard']?.getSnapshot().status).toBe('stopped')
    expect(context().tiles['0.0.1.1.gate']).toBe(before['0.0.1.1.gate'])
  })

  test('a tile that leaves the grid is no longer enlarged, and has no sound when it returns', async () => {
    const both = ok(mosaicOf({ gate: 'running', yard: 'running' }))
    const { clock, context, send } = open([both, both, ok(mosaicOf({ gate: 'running' })), both])
    await settle()
    send({ type: 'tile.enlarged', key: '1.0.1.1.yard' })
    send({ type: 'tile.focused', key: '1.0.1.1.yard' })
    const afterPoll = async () => {
      clock.increment(10_000)
      await settle()
      const { enlarged, focused } = context()
      return [enlarged, focused]
    }
    expect([await afterPoll(), await afterPoll(), await afterPoll()]).toEqual([
      ['1.0.1.1.yard', '1.0.1.1.yard'],
      [null, null],
      [null, null],
    ])
  })

  test('paused or hidden it plays nothing and extends no lease', async () => {
    const mosaic = mosaicOf({ gate: 'running' })
    const { clock, commands, leases, send, show } = open([ok(mosaic), ok(mosaic), ok(mosaic)])
    await settle()
    send({ type: 'mosaic.paused' })
    clock.increment(10_000)
    await settle()
    send({ type: 'mosaic.resumed' })
    show('page.hidden')
    show('page.shown')
    await settle()
    expect({ commands, leases }).toEqual({
      commands: ['load gate', 'unload', 'load gate', 'unload', 'load gate'],
      leases: [true, false, true],
    })
  })

  test('a tile that was paused outside of the page plays again with all, or in the archive, but not at a poll', async () => {
    const mosaic = ok(mosaicOf({ gate: 'running' }))
    const { clock, context, report, send } = open([mosaic, mosaic])
    await settle()
    const afterPause = async (...types: string[]) => {
      report({ type: 'media.pauseRequested' })
      for (const type of types) send({ type })
      clock.increment(10_000)
      await settle()
      return context().tiles['0.0.1.1.gate']?.getSnapshot().context.isPlaying
    }
    expect([
      await afterPause(),
      await afterPause('mosaic.paused', 'mosaic.resumed'),
      await afterPause('archive.opened'),
      await afterPause('archive.closed'),
    ]).toEqual([false, true, true, true])
  })

  test.each([
    ['failed', [], ['alarm.switched', 'alarm.rung']],
    ['failed', ['archive.opened'], ['alarm.switched', 'alarm.rung']],
    ['paused', [], ['alarm.switched']],
    ['paused', ['archive.opened'], ['alarm.switched']],
  ])('if enabled a sound reports a lost camera: %s %s', async (status, before, orders) => {
    const { clock, send, alarms, report } = open([
      ok(mosaicOf({ gate: 'running', yard: 'running' })),
      ok(mosaicOf({ gate: status, yard: 'running' })),
    ])
    await settle()
    report({ type: 'engine.loaded', from: 1000, to: 9000 })
    send({ type: 'alarm.toggled' })
    for (const type of before) send({ type })
    await settle()
    clock.increment(10_000)
    await settle()
    expect(alarms.map(({ type }) => type)).toEqual(orders)
    send({ type: 'alarm.toggled' })
    report({ type: 'engine.failed', failure: 'stalled', at: null })
    expect(alarms.slice(orders.length)).toEqual([{ type: 'alarm.switched', isOn: false }])
  })

  test('a tile out of sight for a while is unloaded, and plays again as soon as it is in sight', async () => {
    const { clock, commands, send } = open([ok(mosaicOf({ gate: 'running', yard: 'running' }))])
    await settle()
    commands.splice(0)
    const seen = (isSeen: boolean, later: number) => {
      send({ type: 'tile.seen', key: '0.0.1.1.gate', isSeen })
      clock.increment(later)
      return commands.splice(0)
    }
    expect([seen(false, 4999), seen(true, 5000), seen(false, 5000), seen(true, 0)]).toEqual([
      [],
      [],
      ['unload'],
      ['load gate'],
    ])
  })

  test('a tile plays as soon as it comes into sight, while one that leaves stays loaded for a while', async () => {
    const { clock, commands, send } = open([ok(mosaicOf({ gate: 'running', yard: 'running' }))])
    await settle()
    send({ type: 'tile.seen', key: '0.0.1.1.gate', isSeen: false })
    clock.increment(5000)
    commands.splice(0)
    const after = (ms: number) => {
      clock.increment(ms)
      return commands.splice(0)
    }
    send({ type: 'tile.seen', key: '0.0.1.1.gate', isSeen: true })
    send({ type: 'tile.seen', key: '1.0.1.1.yard', isSeen: false })
    expect([after(0), after(4999), after(1)]).toEqual([['load gate'], [], ['unload']])
  })

  test('a tile is enlarged by its number, counted by rows; two digits in succession are one number', async () => {
    const columns = { columns: 6, rows: 2 }
    const cells = Array.from({ length: 12 }, (_, index) => ({
      streamUid: `s${index + 1}`,
      x: index % 6,
      y: Math.floor(index / 6),
      w: 1,
      h: 1,
    })).toReversed()
    const { clock, context, send } = open([ok({ ...mosaicOf({}), ...columns, cells })])
    await settle()
    const typed = (digit: string, later = 0) => {
      send({ type: 'digit.typed', digit })
      clock.increment(later)
      return context().enlarged
    }
    expect([typed('1'), typed('2', 1000), typed('1', 1000), typed('2', 1000), typed('2', 1000)]).toEqual([
      '0.0.1.1.s1',
      '5.1.1.1.s12',
      '0.0.1.1.s1',
      '1.0.1.1.s2',
      null,
    ])
  })

  test('only one tile has sound', async () => {
    const { context, send } = open([ok(mosaicOf({ gate: 'running', yard: 'running' }))])
    await settle()
    const volumes = () => Object.values<TileRef>(context().tiles).map((tile) => tile.getSnapshot().context.sound.volume)
    send({ type: 'tile.focused', key: '0.0.1.1.gate' })
    expect(volumes()).toEqual([1, 0])
    send({ type: 'tile.focused', key: '1.0.1.1.yard' })
    expect(volumes()).toEqual([0, 1])
    send({ type: 'tile.focused', key: null })
    expect(volumes()).toEqual([0, 0])
  })

  test.each([
    [404, 'NotFound'],
    [400, 'ValidationError'],
  ])('%s %s leads to the page that says so (docs/behaviour.md §10)', async (status, code) => {
    const { received, value } = open([refused(status, code)])
    await settle()
    expect({ received, value: value() }).toEqual({
      received: [{ type: 'page.missing' }],
      value: { polling: 'missing', playback: 'playing' },
    })
  })

  test('its archive opens with the current time and zone, and synchronized playback controls the tiles', async () => {
    const { commands, context, ref, send, value } = open([ok(mosaicOf({ gate: 'running', yard: 'failed' }))])
    await settle()
    send({ type: 'archive.opened' })
    await settle()
    const syncPlayback = ref.getSnapshot().children.syncPlayback
    const slots = syncPlayback
      ?.getSnapshot()
      .context.slots.map(({ key, uid, isAvailable }: { key: string; uid: string; isAvailable: boolean }) => ({
        key,
        uid,
        isAvailable,
      }))
    expect({ commands, value: value(), environment: context().environment, slots }).toEqual({
      commands: ['load gate'],
      value: { playback: { synchronized: 'open' }, polling: 'waiting' },
      environment: { now: 1_700_000_000_000, zone: 'Europe/Berlin' },
      slots: [
        { key: '0.0.1.1.gate', uid: 'gate', isAvailable: true },
        { key: '1.0.1.1.yard', uid: 'yard', isAvailable: false },
      ],
    })
    send({ type: 'archive.closed' })
    expect(value()).toEqual({ playback: 'playing', polling: 'waiting' })
  })

  test('its archive, closed or left by a pause, opens live again, not at the last moment', async () => {
    const { ref, send } = open([ok(mosaicOf({ gate: 'running' }))])
    await settle()
    const openedAt = async () => {
      await settle()
      return ref.getSnapshot().children.syncPlayback?.getSnapshot().context.at
    }
    const at = Date.UTC(2023, 10, 14)
    send({ type: 'address.changed', address: { search: `?at=${new Date(at).toISOString()}` } })
    const opened = [await openedAt()]
    for (const leaving of ['archive.closed', 'mosaic.paused'] as const) {
      send({ type: leaving })
      send({ type: 'archive.opened' })
      opened.push(await openedAt())
      send({ type: 'address.changed', address: { search: `?at=${new Date(at).toISOString()}` } })
    }
    expect(opened).toEqual([at, null, null])
  })

  test('an address of the archive opens it, also while paused, and while hidden once it is shown', async () => {
    const { send, value } = open([ok(mosaicOf({ gate: 'running' }))])
    await settle()
    const archive = { type: 'address.changed', address: { search: '?at=2023-11-14T00:00:00Z' } }
    const live = { type: 'address.changed', address: { search: '' } }
    send({ type: 'mosaic.paused' })
    send(live)
    const values = [value().playback]
    send(archive)
    await settle()
    values.push(value().playback)
    send({ type: 'archive.closed' })
    send({ type: 'page.hidden' })
    send(archive)
    values.push(value().playback)
    send({ type: 'page.shown' })
    await settle()
    values.push(value().playback)
    expect(values).toEqual(['paused', { synchronized: 'open' }, 'hidden', { synchronized: 'open' }])
  })

  test('once it is missing, nothing is requested when the page is shown again', async () => {
    const { leases, show } = open([refused(404, 'NotFound')])
    await settle()
    show('page.hidden')
    show('page.shown')
    await settle()
    expect(leases.length).toBe(1)
  })

  test('its tour enlarges one tile after the other at the pace of the address', async () => {
    const { clock, context, send } = open([ok(mosaicOf({ gate: 'running', yard: 'running' }))], '?cycle=2s')
    await settle()
    const shown = () => {
      clock.increment(0)
      clock.increment(2000)
      return context().enlarged
    }
    const turns = [shown(), shown(), shown()]
    send({ type: 'address.changed', address: { search: '' } })
    expect({ turns, still: shown() }).toEqual({ turns: ['0.0.1.1.gate', '1.0.1.1.yard', null], still: null })
  })

  describe('the export of several cameras', () => {
    const range = { from: 1_700_000_000_000, to: 1_700_000_060_000 }
    const logic = mosaicExportMachine
    const watching = async (features: string[]) => {
      const mosaic = mosaicOf({ gate: 'running', yard: 'running' })
      const [first, ...others] = mosaic.streams ?? []
      const streams = [{ ...first, name: 'Gate', bitrate: 5, meta: { canViewArchive: true } }, ...others]
      const [cell] = mosaic.cells
      const cells = [...mosaic.cells, { ...cell, y: 1 }, { ...cell, streamUid: 'gone', x: 1, y: 1 }]
      const page = open([ok(Mosaic.parse({ ...mosaic, streams, cells, rows: 2 }))], '', features)
      await settle()
      return page
    }

    test('begins with each camera once, and which of them the user may export, and goes on after it was closed', async () => {
      const { send, context } = await watching(['exports'])
      send({ type: 'export.loaded', logic, range, now: range.to, zone: 'UTC', maxItems: 32 })
      const first = context().exporting
      const { range: shown, cameras, limits } = first.getSnapshot().context
      first.send({ type: 'dialog.closed' })
      const later = { from: range.to, to: range.to + 60_000 }
      send({ type: 'export.loaded', logic, range: later, now: later.to, zone: 'UTC', maxItems: 32 })
      const { value, context: last } = first.getSnapshot()
      const next = { isSame: context().exporting === first, value, shown: last.range }
      expect({ shown, cameras, limits, next }).toEqual({
        shown: { ...range, askedTo: range.to },
        cameras: [
          { uid: 'gate', name: 'Gate', mayExport: true, bitrate: 5 },
          { uid: 'yard', name: 'yard', mayExport: false, bitrate: null },
          { uid: 'gone', name: 'gone', mayExport: false, bitrate: null },
        ],
        limits: { maxSeconds: 3600, chunkMs: 10_800_000, maxItems: 32 },
        next: { isSame: true, value: { open: 'measuring' }, shown: { ...later, askedTo: later.to } },
      })
    })

    test('without the feature there is none', async () => {
      const { send, context } = await watching([])
      send({ type: 'export.loaded', logic, range, now: range.to, zone: 'UTC', maxItems: 32 })
      expect(context().exporting).toBe(null)
    })
  })

  describe('the lock of several cameras', () => {
    const range = { from: 1_700_000_000_000, to: 1_700_000_060_000 }
    const lock = { type: 'lock.loaded', logic: mosaicLockMachine, range } as const
    const watching = async (features: string[], mayLock: string) => {
      const mosaic = mosaicOf({ gate: 'running', yard: 'running' })
      const streams = mosaic.streams?.map((stream) => ({ ...stream, meta: { canAdmin: stream.uid === mayLock } }))
      const page = open([ok(Mosaic.parse({ ...mosaic, streams }))], '', features)
      await settle()
      return { ...page, canLock: () => selectCanLock(page.ref.getSnapshot()) }
    }

    test('has each camera, and which of them the user may lock, and is opened again after it was closed', async () => {
      const { send, context, canLock } = await watching(['locks'], 'yard')
      send(lock)
      const first = context().locking
      const { range: shown, cameras } = first.getSnapshot().context
      first.send({ type: 'dialog.closed' })
      send(lock)
      const again = [context().locking === first, first.getSnapshot().value]
      expect({ can: canLock(), shown, cameras, again }).toEqual({
        can: true,
        shown: range,
        cameras: [
          { uid: 'gate', name: 'gate', mayLock: false },
          { uid: 'yard', name: 'yard', mayLock: true },
        ],
        again: [true, 'drafting'],
      })
    })

    test('without the feature or the right to any camera there is none', async () => {
      const { send, context, canLock } = await watching([], 'yard')
      send(lock)
      expect([canLock(), context().locking]).toEqual([false, null])
      expect((await watching(['locks'], 'none')).canLock()).toBe(false)
    })
  })

  test('a link with only in and out marks opens the archive at the in mark', async () => {
    const { ref } = open(
      [ok(mosaicOf({ gate: 'running' }))],
      '?in=2023-11-14T20:00:00.000Z&out=2023-11-14T20:05:00.000Z',
    )
    await settle()
    const { at, marks } = ref.getSnapshot().children.syncPlayback.getSnapshot().context
    const from = Date.UTC(2023, 10, 14, 20)
    expect({ at, marks }).toEqual({ at: from, marks: { from, to: from + 300_000 } })
  })

  test('every edge of the chart is walked', () => {
    const still = () => undefined
    const events = [
      { type: 'page.hidden' },
      { type: 'page.shown' },
      { type: 'mosaic.retried' },
      { type: 'slots.settled' },
      { type: 'mosaic.paused' },
      { type: 'mosaic.resumed' },
      { type: 'alarm.read', isOn: true },
      { type: 'alarm.toggled' },
      { type: 'media.lost' },
      { type: 'archive.opened' },
      { type: 'archive.closed' },
      { type: 'address.changed', address: { search: '?at=2026-11-21T08:00:00Z' } },
      { type: 'address.changed', address: { search: '' } },
      {
        type: 'export.loaded',
        logic: mosaicExportMachine,
        range: { from: 0, to: 1 },
        now: 1,
        zone: 'UTC',
        maxItems: 32,
      },
      { type: 'lock.loaded', logic: mosaicLockMachine, range: { from: 0, to: 1 } },
      { type: 'tile.focused', key: null },
      { type: 'tile.enlarged', key: null },
      { type: 'digit.typed', digit: '1' },
      { type: 'digits.ended' },
      { type: 'tile.seen', key: '0.0.1.1.gate', isSeen: false },
      { type: 'tile.outOfSight', key: '0.0.1.1.gate' },
      { type: 'xstate.done.actor.fetchMosaic', output: ok(mosaicOf({})) },
      { type: 'xstate.done.actor.fetchMosaic', output: refused(404, 'NotFound') },
      { type: 'xstate.done.actor.fetchMosaic', output: refused(500, '') },
      { type: 'xstate.error.actor.fetchMosaic', error: new Error('not provided') },
      { type: 'xstate.done.actor.readEnvironment', output: { now: 1_700_000_000_000, zone: 'UTC' } },
      { type: 'xstate.error.actor.readEnvironment', error: new Error('not provided') },
      { type: 'poll.due' },
      { type: 'poll.rested' },
    ]
    const model = mosaicMachine.provide({
      actions: {
        describe: still,
        notifyMissing: still,
        notifyAnswered: still,
        assignLease: still,
        delayPoll: still,
        updateTiles: still,
        resume: still,
        play: still,
        unload: still,
        focus: still,
        notifySlots: still,
        notifyAddress: still,
        ringAlarm: still,
        startExport: still,
        requestExport: still,
        startLock: still,
        requestLock: still,
      },
    })
    const walked = ['', '?at=2026-11-21T08:00:00Z'].map((search) =>
      walkEdges(mosaicMachine, {
        model,
        input: {
          ...pageInput({ params: { id: 'm1' } }),
          settings: settingsOf({ features: ['exports', 'locks'] }),
          address: { pathname: '/', search, hash: '' },
        },
        events,
        name: ({ value, context }) => JSON.stringify([value, context['address'].at !== null, context['isAlarmOn']]),
      }),
    )
    expect(walked.flatMap(({ strayed }) => strayed)).toEqual([])
    expect([...new Set(walked.flatMap(({ covered }) => covered))].toSorted()).toEqual(walked[0]?.declared)
  })
})
