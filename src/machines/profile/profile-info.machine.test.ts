import { expect, test } from 'vitest'
import { settingsOf, userOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { profileInfoMachine } from './profile-info.machine.ts'

const user = userOf()
const input = { ...pageInput({ user }), settings: settingsOf() }
const reports = [{ type: 'user.patched', changes: user }, { type: 'factor.added' }, { type: 'page.missing' }]

test('both parts run, and what they report reaches the root', () => {
  const { ref, send, received } = openPage(profileInfoMachine, input)
  const { secondFactor, passkeys } = ref.getSnapshot().children
  expect([secondFactor?.getSnapshot().value, passkeys?.getSnapshot().value]).toEqual(['absent', 'absent'])
  for (const report of reports) send(report)
  expect(received).toEqual(reports)
})

test('every edge of the chart is walked', () => {
  const walked = walkEdges(profileInfoMachine, {
    model: profileInfoMachine.provide({ actions: { notifyParent: () => undefined } }),
    input,
    events: reports,
    name: ({ value }) => JSON.stringify(value),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
