import { fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import { Export } from '../../api/contract/exports.ts'
import { ok, settingsOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { type ExportList, exportListMachine, type ExportsEvent, exportsMachine } from './exports.machine.ts'

const item = { ...Export.parse({ id: 'e1', status: 'running' }), downloadUrl: '/v1/export/e1/file' }

const open = () => {
  const asked: string[] = []
  const page = openPage(
    exportsMachine.provide({
      actors: {
        list: exportListMachine.provide({
          actors: {
            fetchResource: fromPromise(async ({ input }) => {
              asked.push('list')
              return ok<ExportList>({ items: [item], publicKey: 'key', zone: input.query })
            }),
            perform: fromPromise(async ({ input }) => {
              asked.push(`remove ${input.command.id}`)
              return ok({})
            }),
          },
        }),
      },
    }),
    { ...pageInput(), settings: settingsOf({ timezone: 'Asia/Tokyo' }) },
  )
  return { ...page, asked }
}

test('the list is polled while the page is open', async () => {
  const { asked, clock } = open()
  await settle()
  clock.increment(2000)
  await settle()
  expect(asked).toEqual(['list', 'list'])
})

test("the server's zone is known, as times may be shown in it", async () => {
  const { context } = open()
  await settle()
  expect(context().list.getSnapshot().context.value?.zone).toBe('Asia/Tokyo')
})

test('an export is deleted only after a confirmation, and the list is fetched again', async () => {
  const { asked, send, value } = open()
  await settle()
  send({ type: 'delete.requested', item })
  send({ type: 'delete.cancelled' })
  send({ type: 'delete.requested', item })
  expect([asked, value()]).toEqual([['list'], 'confirming'])
  send({ type: 'delete.confirmed' })
  await settle()
  expect([asked, value()]).toEqual([['list', 'remove e1', 'list'], 'closed'])
})

test('every edge of the chart is walked', () => {
  const own = {
    'delete.requested': [{ type: 'delete.requested', item }],
    'delete.confirmed': [{ type: 'delete.confirmed' }],
    'delete.cancelled': [{ type: 'delete.cancelled' }],
    'page.missing': [{ type: 'page.missing' }],
  } satisfies { [Type in ExportsEvent['type']]: Extract<ExportsEvent, { type: Type }>[] }
  const walked = walkEdges(exportsMachine, {
    model: exportsMachine.provide({ actions: { notifyMissing: () => undefined, remove: () => undefined } }),
    input: pageInput(),
    events: Object.values(own).flat(),
    name: ({ value }) => String(value),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
