// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { act, cleanup, fireEvent, render, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createActor, fromPromise, SimulatedClock } from 'xstate'
import { patience } from '../../../tests/fixtures/patience.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { ArchiveLock } from '../../api/contract/locks.ts'
import type { Reply } from '../../api/reply.ts'
import { i18n } from '../../i18n/i18n.ts'
import { locksMachine } from '../../machines/locks/locks.machine.ts'
import { overlays } from '../ui/overlays.ts'
import { LockDialogs } from './LockDialogs.tsx'

beforeAll(async () => {
  await overlays.load()
})
beforeEach(() => {
  i18n.loadAndActivate({ locale: 'en', messages: {} })
  vi.stubGlobal('CSS', { escape: (value: string) => value })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const lockOf = (id: string, reason: string, more: object = {}) => {
  const [startTime, endTime] = ['2026-11-21T08:00:00.000Z', '2026-11-21T09:00:00.000Z']
  return ArchiveLock.parse({ id, reason, startTime, endTime, ...more })
}

/** The list of locks, from a server that answers each removal in turn. */
async function openList(removals: Reply<object>[] = [], locks = [lockOf('l1', 'Theft'), lockOf('l2', 'Accident')]) {
  const actor = createActor(
    locksMachine.provide({
      actors: {
        fetchLocks: fromPromise(async () => ok<readonly ArchiveLock[]>([...locks])),
        removeLock: fromPromise(async ({ input }) => {
          const reply = removals.shift() ?? ok({})
          if (reply.ok)
            locks.splice(
              locks.findIndex(({ id }) => id === input.id),
              1,
            )
          return reply
        }),
      },
    }),
    { input: { uid: 'gate' }, clock: new SimulatedClock() },
  ).start()
  actor.send({ type: 'rights.changed', canAdmin: true })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const screen = render(
    <I18nProvider i18n={i18n}>
      <main tabIndex={-1} />
      <LockDialogs locks={actor} zone="UTC" onPick={() => undefined} />
    </I18nProvider>,
  )
  await act(async () => {
    actor.send({ type: 'list.requested' })
    await settle()
    // Half a second later React Aria focuses a dialog again if the document has the focus, as it has after a question.
    vi.runOnlyPendingTimers()
  })
  vi.useRealTimers()
  const click = (button: HTMLElement) =>
    act(async () => {
      button.focus()
      fireEvent.click(button)
      await settle()
      // React Aria checks in the next frame where the focus is.
      await new Promise((resolve) => requestAnimationFrame(resolve))
    })
  return {
    ...screen,
    ask: () => click(screen.getByRole('button', { name: 'Unlock Theft' })),
    press: (name: string) => click(within(screen.getByRole('alertdialog')).getByRole('button', { name })),
    list: () => screen.queryByRole('dialog', { name: 'Locked recordings', hidden: true }),
  }
}

const focused = (element: HTMLElement) => vi.waitFor(() => expect(document.activeElement).toBe(element), patience)

test('each lock has its login and its expiry where the server says them', async () => {
  const expireTime = '2026-12-21T09:00:00.000Z'
  const { getAllByRole } = await openList(
    [],
    [
      lockOf('l1', 'Theft', { login: 'ann', expireTime }),
      lockOf('l2', 'Fire', { login: 'ann' }),
      lockOf('l3', 'Fall', { expireTime }),
      lockOf('l4', 'Fight'),
    ],
  )
  expect(
    getAllByRole('listitem').map(({ textContent }) => /(?:By|Until|never).*(?=Unlock)/.exec(textContent)?.[0]),
  ).toEqual([
    expect.stringMatching(/^By ann, until .*2026/),
    'By ann, never expires',
    expect.stringMatching(/^Until .*2026/),
    undefined,
  ])
})

test('the list stays under the question, and Unlock gets the focus back from Cancel', async () => {
  const { ask, press, list, getByRole, queryByRole } = await openList()
  const listed = list()
  expect(listed).not.toBeNull()
  await ask()
  expect([list(), getByRole('alertdialog').contains(document.activeElement)]).toEqual([listed, true])
  await press('Cancel')
  expect([list(), queryByRole('alertdialog')]).toEqual([listed, null])
  await focused(getByRole('button', { name: 'Unlock Theft' }))
})

test('why a recording stays locked is said once, in the question', async () => {
  const { ask, press, getAllByRole, getByRole } = await openList([refused(503, 'Unavailable')])
  await ask()
  await press('Unlock')
  expect(getAllByRole('alert', { hidden: true })).toEqual([within(getByRole('alertdialog')).getByRole('alert')])
})

test('the list gets the focus when a recording has been unlocked', async () => {
  const { ask, press, getByRole, queryByRole } = await openList()
  await ask()
  await press('Unlock')
  expect([queryByRole('alertdialog'), queryByRole('button', { name: 'Unlock Theft' })]).toEqual([null, null])
  await focused(getByRole('dialog', { name: 'Locked recordings' }))
})
