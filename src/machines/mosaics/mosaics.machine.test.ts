import { fromCallback, fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import { Mosaic } from '../../api/contract/mosaic.ts'
import { ok } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { type PreviewsEvent, previewsMachine } from '../streams/previews.machine.ts'
import { mosaicListMachine, mosaicsMachine } from './mosaics.machine.ts'

const wall = Mosaic.parse({ id: 'm1', name: 'Wall', cells: [{ streamUid: 'gate' }] })

test('a hidden page keeps its list, and fetches no preview until it is shown', async () => {
  const asked: string[] = []
  const fetchPreview = fromCallback<PreviewsEvent, { uid: string }>(({ input, sendBack }) => {
    asked.push(input.uid)
    sendBack({ type: 'preview.fetched', uid: input.uid, url: 'blob:1' })
  })
  const { context, clock } = openPage(
    mosaicsMachine.provide({
      actors: {
        list: mosaicListMachine.provide({
          actors: { fetchResource: fromPromise(async () => ok<readonly Mosaic[]>([wall])) },
        }),
        previews: previewsMachine.provide({ actors: { fetchPreview } }),
      },
    }),
    pageInput(),
  )
  await settle()
  expect(context().list.getSnapshot().context.value).toEqual([wall])
  context().previews.send({ type: 'previews.requested', subjects: [{ uid: 'gate', isMoving: true }] })
  clock.increment(100)
  expect(asked).toEqual(['gate'])
  context().previews.send({ type: 'page.hidden' })
  clock.increment(60_000)
  expect(asked).toEqual(['gate'])
  context().previews.send({ type: 'page.shown' })
  expect(asked).toEqual(['gate', 'gate'])
})

test('every edge of the chart is walked', () => {
  const walked = walkEdges(mosaicsMachine, {
    model: mosaicsMachine.provide({ actions: { notifyMissing: () => undefined } }),
    input: pageInput(),
    events: [{ type: 'page.missing' }],
    name: () => 'all',
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
