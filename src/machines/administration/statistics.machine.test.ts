import { fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import type { Recordings, Retention } from '../../api/contract/archive.ts'
import { ok, settingsOf } from '../../../tests/fixtures/replies.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { recordingsMachine, retentionMachine } from './administration.machines.ts'
import { statisticsMachine } from './statistics.machine.ts'

const recording = (uid: string): Recordings['items'][number] => ({
  uid,
  name: uid,
  bytes: 1,
  depthHours: -1,
  period: null,
})

const kept: Retention = { items: [], first: 'gate', freeBytes: 7, volumes: [] }

function open(features: string[]) {
  const removed: string[] = []
  let left = [recording('gate'), recording('yard')]
  const page = openPage(
    statisticsMachine.provide({
      actors: {
        recordings: recordingsMachine.provide({
          actors: {
            fetchResource: fromPromise(async () => ok(left)),
            perform: fromPromise(async ({ input: { command } }) => {
              removed.push(command.uid)
              left = left.filter(({ uid }) => uid !== command.uid)
              return ok({})
            }),
          },
        }),
        retention: retentionMachine.provide({ actors: { fetchResource: fromPromise(async () => ok(kept)) } }),
      },
    }),
    { ...pageInput(), settings: settingsOf({ features }) },
  )
  return { ...page, removed }
}

test('the recordings of removed streams are fetched only if the server has the feature', async () => {
  const { context } = open([])
  await settle()
  expect([context().recordings, context().retention]).toEqual([null, null])
})

test('the retention of streams is fetched only if the server has the feature', async () => {
  const { context } = open(['retention'])
  await settle()
  expect(context().retention?.getSnapshot().context.value).toEqual(kept)
})

test('the recordings of a removed stream are deleted by a command, and the list is fetched again', async () => {
  const { context, removed } = open(['recordings'])
  await settle()
  const { recordings } = context()
  const uids = () => recordings.getSnapshot().context.value?.map(({ uid }: { uid: string }) => uid)
  expect(uids()).toEqual(['gate', 'yard'])
  recordings.send({ type: 'command.requested', command: { kind: 'remove', uid: 'gate', unlock: false } })
  await settle()
  await settle()
  expect({ removed, left: uids() }).toEqual({ removed: ['gate'], left: ['yard'] })
})
