// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { createActor, fromPromise, SimulatedClock } from 'xstate'
import { ok } from '../../../tests/fixtures/replies.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { activate, loadMessages, i18n } from '../../i18n/i18n.ts'
import { userSearchMachine } from '../../machines/stream-pages/user-search.machine.ts'
import { AddPerson } from './AddPerson.tsx'

afterEach(cleanup)

/** The field, where `found` matches each search. */
async function open(found: readonly (readonly string[])[], listed: readonly string[] = []) {
  await activate('en')
  await loadMessages('pages')
  const answers = [...found]
  const clock = new SimulatedClock()
  const search = createActor(
    userSearchMachine.provide({ actors: { searchUsers: fromPromise(async () => ok(answers.shift() ?? [])) } }),
    { clock },
  ).start()
  const added: string[] = []
  const permissions = listed.map((login) => ({ login, canView: true, canViewArchive: false, canAdmin: false }))
  render(
    <I18nProvider i18n={i18n}>
      <AddPerson search={search} permissions={permissions} onAdd={(login) => added.push(login)} />
    </I18nProvider>,
  )
  const field = screen.getByRole('combobox', { name: 'Login' })
  const type = (value: string) => fireEvent.change(field, { target: { value } })
  const searched = async () => {
    act(() => clock.increment(250))
    await act(settle)
  }
  const enter = () => {
    const { form } = field instanceof HTMLInputElement ? field : { form: null }
    if (form !== null) fireEvent.submit(form)
  }
  return { added, field, type, searched, enter, press: (key: string) => fireEvent.keyDown(field, { key }) }
}

test('what is highlighted is no other user when the results change', async () => {
  const { added, field, type, searched, enter, press } = await open([
    ['anna', 'anton'],
    ['anton', 'antje'],
  ])
  type('an')
  await searched()
  type('ant')
  press('ArrowDown')
  expect(screen.getByRole('option', { selected: true }).textContent).toBe('anna')
  await searched()
  expect([screen.queryByRole('option', { selected: true }), field.getAttribute('aria-activedescendant')]).toEqual([
    null,
    null,
  ])
  press('ArrowUp')
  expect(screen.getByRole('option', { selected: true }).textContent).toBe('antje')
  enter()
  expect(added).toEqual(['antje'])
})

test('a user who is listed is not added again in another case', async () => {
  const { added, type, enter } = await open([], ['anna'])
  type('ANNA')
  enter()
  expect([added, screen.getByRole('button', { name: 'Add' }).getAttribute('aria-disabled')]).toEqual([[], 'true'])
})
