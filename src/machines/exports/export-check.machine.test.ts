import { createActor, fromCallback } from 'xstate'
import { expect, test } from 'vitest'
import { ExportManifest } from '../../api/contract/exports.ts'
import type { VerifiedExport } from '../../api/export-file/verify-export.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { type ExportCheckEvent, exportCheckMachine, verdictBy } from './export-check.machine.ts'

const manifest = ExportManifest.parse({
  format: 'sightline-export',
  version: 1,
  id: 'e1',
  createTime: '2026-11-21T08:00:00.000Z',
  publicKey: 'ours',
  items: [],
  files: [],
})
const result: VerifiedExport = { verdict: 'unchanged', manifest, mismatches: [] }
const file = new Blob(['PK'])
const chosen = { type: 'file.chosen', name: 'export.zip', file } as const

const open = () => {
  const checked: Blob[] = []
  let stopped = 0
  const actor = createActor(
    exportCheckMachine.provide({
      actors: {
        check: fromCallback(({ input }) => {
          checked.push(input.file)
          return () => {
            stopped += 1
          }
        }),
      },
    }),
  ).start()
  return { actor, checked, stopped: () => stopped }
}

test('a file is checked and the result shown; another file cancels that', () => {
  const { actor, checked, stopped } = open()
  actor.send(chosen)
  actor.send({ type: 'check.progressed', fraction: 0.5 })
  expect(actor.getSnapshot().context).toEqual({ name: 'export.zip', key: null, fraction: 0.5, result: null })
  actor.send({ ...chosen, name: 'other.zip' })
  expect([checked, stopped(), actor.getSnapshot().context.fraction]).toEqual([[file, file], 1, 0])
  actor.send({ type: 'check.finished', result })
  expect([actor.getSnapshot().value, actor.getSnapshot().context.result]).toEqual(['checked', result])
  actor.send(chosen)
  actor.send({ type: 'check.failed' })
  expect([actor.getSnapshot().value, actor.getSnapshot().context.result]).toEqual(['unreadable', null])
})

test('the key matters only for an unchanged file, and if a key is expected', () => {
  expect([verdictBy(result, 'ours'), verdictBy(result, ''), verdictBy(result, 'theirs')]).toEqual([
    'unchanged',
    'unchanged',
    'otherKey',
  ])
  expect(verdictBy({ ...result, manifest: { ...manifest, publicKey: 'abc=' } }, ' a\nbc ')).toBe('unchanged')
  expect(verdictBy({ verdict: 'truncated', mismatches: [] }, 'theirs')).toBe('truncated')
})

test('every edge of the chart is walked', () => {
  const own = {
    'file.chosen': [chosen],
    'key.changed': [{ type: 'key.changed', key: 'theirs' }],
    'check.progressed': [{ type: 'check.progressed', fraction: 0.5 }],
    'check.finished': [{ type: 'check.finished', result }],
    'check.failed': [{ type: 'check.failed' }],
  } satisfies { [Type in ExportCheckEvent['type']]: Extract<ExportCheckEvent, { type: Type }>[] }
  const walked = walkEdges(exportCheckMachine, {
    model: exportCheckMachine,
    input: undefined,
    events: Object.values(own).flat(),
    name: ({ value }) => String(value),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
