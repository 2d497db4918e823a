import { fromPromise } from 'xstate'
import { describe, expect, test } from 'vitest'
import type { License } from '../../api/contract/system.ts'
import type { Reply } from '../../api/reply.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { FormReport } from '../form/form.events.ts'
import { licenseStateMachine } from './administration.machines.ts'
import { licenseFormMachine, licenseMachine, type LicenseValues } from './license.machine.ts'

const license = (text: string): License => ({ expired: false, text, features: [] })

function open(upload: Reply<License>) {
  let asked = 0
  const page = openPage(
    licenseMachine.provide({
      actors: {
        state: licenseStateMachine.provide({
          actors: { fetchResource: fromPromise(async () => ok(license(`asked ${(asked += 1)}`))) },
        }),
        form: licenseFormMachine.provide({ actors: { submit: fromPromise(async () => upload) } }),
      },
    }),
    pageInput(),
  )
  const form = page.context().form
  form.send({ type: 'form.edited', values: { text: 'KEY' } })
  form.send({ type: 'form.submitted' })
  return { ...page, form, counts: () => asked }
}

describe('the licence page (docs/behaviour.md §13; docs/wire.md §5.1)', () => {
  test('a valid licence clears the form, shows the new state and has the settings fetched again', async () => {
    const { received, form, counts } = open(ok(license('KEY')))
    await settle()
    await settle()
    expect({ received, text: form.getSnapshot().context.values.text, asked: counts() }).toEqual({
      received: [{ type: 'settings.outdated' }],
      text: '',
      asked: 2,
    })
  })

  test('an invalid one is an error beside the field, without a toast, and the text stays', async () => {
    const { received, form, toasts } = open(refused(400, 'IncorrectLicense'))
    await settle()
    const { values, errors } = form.getSnapshot().context
    expect({ received, values, errors, toasts: toasts() }).toEqual({
      received: [],
      values: { text: 'KEY' },
      errors: { text: 'IncorrectLicense' },
      toasts: [],
    })
  })

  test('every edge of the chart is walked', () => {
    const saved: FormReport<LicenseValues, License> = {
      type: 'form.saved',
      answer: license('KEY'),
      values: { text: 'KEY' },
    }
    const nothing = () => undefined
    const { declared, covered, strayed } = walkEdges(licenseMachine, {
      model: licenseMachine.provide({
        actions: { refetchLicense: nothing, outdateSettings: nothing, notifyMissing: nothing },
      }),
      input: pageInput(),
      events: [saved, { type: 'page.missing' }],
      name: ({ value }) => JSON.stringify(value),
    })
    expect(strayed).toEqual([])
    expect(covered).toEqual(declared)
  })
})
