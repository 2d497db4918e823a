import { readFileSync } from 'node:fs'
import { expect, type Page } from 'playwright/test'
import { replay } from '../../tests/machines/replay.ts'
import { readSession } from '../../tests/machines/session-file.ts'
import { axeFindings } from '../axe.ts'
import { test } from './walk.ts'

const inspectorOf = (page: Page) => {
  const region = (name: string) => page.getByRole('region', { name, exact: true })
  return {
    actors: page.getByRole('tree', { name: 'Actors' }),
    log: page.getByRole('listbox', { name: 'Events' }),
    chart: page.getByRole('region', { name: /^Chart of/ }),
    details: region('Details'),
    choose: (actor: string | RegExp) => page.getByRole('treeitem', { name: actor }).click(),
    pane: (name: string) => region('Details').getByRole('button', { name, exact: true }).click(),
    active: () =>
      page
        .locator('[data-state][data-active]')
        .evaluateAll((states) => states.map((state) => state.getAttribute('data-state'))),
    walked: () =>
      page.locator('[data-walked]').evaluateAll((edges) => edges.map((edge) => edge.getAttribute('data-edge'))),
  }
}

test('the inspector shows the sign-in machine at work, travels back, sends an event and saves what replays', async ({
  page,
}) => {
  await page.goto('/ui/?inspect')
  const inspector = inspectorOf(page)
  await inspector.choose(/^signIn/)
  await expect(inspector.chart).toHaveAccessibleName('Chart of signIn')
  await expect.poll(inspector.active).toEqual(['signIn', 'signIn.editing'])

  await page.getByRole('textbox', { name: 'Login' }).fill('nobody')
  await page.getByLabel('Password', { exact: true }).fill('not their password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(inspector.walked).toContain('signIn.submitting done signIn, otherwise')
  await expect(inspector.log).toContainText('password: "•••"')
  await expect(page.locator('body')).not.toContainText('not their password')

  await page.getByRole('searchbox', { name: 'Filter events' }).fill('submitted')
  await inspector.log.getByRole('option', { name: 'credentials.submitted' }).first().click()
  await expect.poll(inspector.active).toEqual(['signIn', 'signIn.submitting'])
  await expect(page.getByText(/^As of event/)).toBeVisible()
  await page.getByRole('button', { name: 'Follow' }).first().click()
  await expect.poll(inspector.active).toEqual(['signIn', 'signIn.editing'])

  await inspector.pane('Send')
  await inspector.details.getByRole('button', { name: 'credentials.edited' }).click()
  await inspector.details.getByRole('textbox').fill('{"login": "ann"}')
  await expect(inspector.details.getByRole('status')).toHaveText('The machine would accept it.')
  await inspector.details.getByRole('button', { name: 'Send', exact: true }).last().click()
  await expect(page.getByRole('textbox', { name: 'Login' })).toHaveValue('ann')

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the session as a test' }).click(),
  ])
  const session = readSession(readFileSync(await download.path(), 'utf8'))
  expect(session.steps.at(-1)).toEqual({
    to: '',
    event: { type: 'credentials.edited', login: 'ann' },
    states: { '': 'editing' },
  })
  expect(replay(session)).toEqual(session.steps)
})

test('it opens and closes by its keys, docks to either side or has its own window, and axe finds nothing in it', async ({
  page,
}) => {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.goto('/ui/')
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
    await page.keyboard.press('Control+Shift+M')
    await inspectorOf(page).choose(/^signIn/)
    await expect.poll(inspectorOf(page).active).toEqual(['signIn', 'signIn.editing'])
    expect(await axeFindings(page, { within: '[data-react-aria-top-layer]' })).toEqual([])
  }
  await page.getByRole('button', { name: 'Dock to the bottom' }).click()
  await expect(page.locator('[data-inspector="bottom"]')).toHaveCount(1)
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Open in a window' }).click(),
  ])
  await expect(popup.getByRole('tree', { name: 'Actors' })).toBeVisible()
  await expect(page.getByRole('tree', { name: 'Actors' })).toHaveCount(0)
  await popup.close()
  await expect(async () => {
    const [again] = await Promise.all([
      page.waitForEvent('popup', { timeout: 1000 }),
      page.keyboard.press('Control+Shift+M'),
    ])
    await again.close()
  }).toPass({ intervals: [100] })
})
