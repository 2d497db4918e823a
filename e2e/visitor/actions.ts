import { type Page, expect } from 'playwright/test'
import { dialogs } from './dialogs.ts'
import { type Role, roles } from './pages.ts'
import { filled } from './survey.ts'
import { pathOf } from './visitor.machine.ts'
import { type World, accounts } from './world.ts'

const splitAction = (action: string): [kind: string, what: string] => {
  const at = action.indexOf('.')
  return [action.slice(0, at), action.slice(at + 1)]
}

/** Performs an action of the model in the browser. */
export async function perform(page: Page, action: string, world: World): Promise<void> {
  const [kind, what] = splitAction(action)
  const gesture = gestures[kind]
  if (gesture === undefined) throw new Error(`nobody knows how to do ${action}`)
  await gesture(page, what, world)
}

const gestures: Readonly<Record<string, (page: Page, what: string, world: World) => Promise<unknown>>> = {
  address: (page, name, world) => page.goto(`/ui${filled(pathOf(name), world)}`, { waitUntil: 'domcontentloaded' }),
  toolbar: (page, name) =>
    page.getByRole('navigation', { name: 'Toolbar' }).getByRole('link', { name, exact: true }).click(),
  banner: (page, name) => page.getByRole('banner').getByRole('link', { name, exact: true }).click(),
  content: (page, name) => page.getByRole('main').getByRole('link', { name, exact: true }).first().click(),
  palette: (page, name) => choose(page, name),
  menu: (page, name) =>
    name === 'API documentation' ? openBeside(page, name) : page.getByRole('menuitem', { name, exact: true }).click(),
  opened: (page, what) => open(page, what),
  closed: (page, way) =>
    way === 'Escape'
      ? page.keyboard.press(way)
      : page
          .getByRole('dialog')
          .or(page.getByRole('alertdialog'))
          .getByRole('button', { name: way, exact: true })
          .click(),
  browser: (page, what) =>
    what === 'reloaded' ? page.reload({ waitUntil: 'domcontentloaded' }) : page.goBack({ waitUntil: 'commit' }),
  signedIn: (page, who) => signIn(page, who),
}

async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox').fill(name)
  await page.getByRole('option', { name, exact: true }).click()
}

async function openBeside(page: Page, name: string): Promise<void> {
  const [beside] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('menuitem', { name, exact: true }).click(),
  ])
  await expect(beside).toHaveURL('/ui/swagger')
  await expect(beside).toHaveTitle(name)
  await beside.close()
}

/** Letter keys work only while nothing in the page has the focus. */
async function open(page: Page, what: string): Promise<void> {
  const [name = '', way] = what.split(' by ')
  const found = dialogs[name]?.opens.find((one) => way !== undefined && way in one)
  if (found === undefined) throw new Error(`${name} doesn't open by ${way ?? 'anything'}`)
  if ('button' in found) return page.getByRole('button', { name: found.button, exact: true }).first().click()
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  return page.keyboard.press(found.key)
}

async function signIn(page: Page, who: string): Promise<void> {
  const role: Role | undefined = roles.find((one) => one === who)
  if (role === undefined) throw new Error(`nobody is a ${who}`)
  await page.getByLabel('Login', { exact: true }).fill(accounts[role].name)
  await page.getByLabel('Password', { exact: true }).fill(accounts[role].password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
