import { I18nProvider } from '@lingui/react'
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { StrictMode } from 'react'
import { assert, expect, test as base, vi } from 'vitest'
import { createActor } from 'xstate'
import { readGuest } from '../../src/api/browser/share-token.ts'
import { setGuest } from '../../src/api/call.ts'
import { i18n } from '../../src/i18n/i18n.ts'
import { AppView } from '../../src/views/app/AppView.tsx'
import { ConsoleProvider } from '../../src/views/app/console.ts'
import { app, appInput, preload } from '../../src/wiring/app.ts'
import * as extras from '../../src/wiring/shell/extras.ts'
import { closedPage, toasts } from '../../src/views/app/deferred-modules.ts'
import { banners } from '../../src/views/shell/Banners.tsx'
import { overlays } from '../../src/views/ui/overlays.ts'
import { viewOf } from '../../src/wiring/pages.ts'
import { FakeServer } from '../fixtures/fake-server.ts'
import { fetchFrom } from './fetch-from.ts'
import { supplement } from './supplement.ts'
import { patience } from '../fixtures/patience.ts'

configure({ asyncUtilTimeout: patience.timeout })

let stop = () => {}
/** Messages of XState while the actors of a page are stopped one by one; a browser would drop the page at once. */
let isStopping = false

/** Loads the console at an address, as src/main.tsx does. */
async function load(address: string): Promise<void> {
  stop()
  document.title = ''
  globalThis.history.pushState(null, '', address)
  const guest = readGuest()
  setGuest(guest ?? { uid: '', token: '' })
  const input = appInput({ isShared: guest !== null })
  preload(input)
  await Promise.all([overlays, toasts, closedPage, banners].map(({ load }) => load()))
  const actor = createActor(app, { input, systemId: 'app' })
  actor.start()
  render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <ConsoleProvider
          value={{
            app: actor,
            consolePath: '/ui',
            viewOf,
            extras: async () => extras,
            copyText: extras.copyText,
            saveText: extras.saveText,
            whenIdle: () => {},
          }}
        >
          <AppView />
        </ConsoleProvider>
      </I18nProvider>
    </StrictMode>,
  )
  stop = () => {
    cleanup()
    isStopping = true
    actor.stop()
    isStopping = false
  }
}

/** XState's development build warns that the root gets a new address while an action of a page writes it. */
const nested = 'Custom actions should not call `sendTo()` directly'

/** The whole console with a fake server. Errors and warnings on the browser's console fail the test. */
export const test = base
  .extend('server', ({ task: _task }, { onCleanup }) => {
    const server = new FakeServer()
    vi.stubGlobal('fetch', fetchFrom(server))
    onCleanup(() => void vi.unstubAllGlobals())
    return server
  })
  /** Opens the console at an address. */
  .extend('visit', ({ server: _server }, { onCleanup }) => {
    supplement()
    globalThis.localStorage.clear()
    globalThis.sessionStorage.clear()
    const problems: unknown[][] = []
    for (const kind of ['error', 'warn'] as const)
      vi.spyOn(globalThis.console, kind).mockImplementation((...args) => {
        if (!isStopping) problems.push(args)
      })
    onCleanup(() => {
      stop()
      stop = () => {}
      vi.restoreAllMocks()
      assert.deepEqual(
        problems.filter(([words]) => !String(words).startsWith(nested)),
        [],
      )
    })
    return load
  })

export { expect }

/** Waits until an expectation is met. */
export const until = <T,>(check: () => T): Promise<T> => waitFor(check, patience)

export const titled = (title: string) => until(() => expect(document.title).toBe(title))
export const at = (address: string) =>
  until(() => expect(globalThis.location.pathname + globalThis.location.search).toBe(address))

type Part = ReturnType<typeof within> | typeof screen

export const isDisabled = (element: HTMLElement) =>
  element.matches(':disabled') || element.getAttribute('aria-disabled') === 'true'
export const enabled = (element: HTMLElement) => until(() => expect(isDisabled(element)).toBe(false))

/** Clicks an element by role and name, once it is enabled. */
export async function press(role: string, name: string | RegExp, part: Part = screen): Promise<void> {
  const element = await part.findByRole(role, { name })
  await enabled(element)
  fireEvent.click(element)
}

/** The field with a label. */
export const field = (label: string | RegExp, part: Part = screen): Promise<HTMLElement> =>
  part.findByLabelText(label, { selector: 'input, select, textarea' })

/** Types into the field with a label, or selects an option. */
export async function fill(label: string | RegExp, value: string, part: Part = screen): Promise<void> {
  const element = await field(label, part)
  await enabled(element)
  element.focus()
  fireEvent.change(element, { target: { value } })
}

/** Presses Enter in a field, which usually submits its form. */
export function enter(element: HTMLElement): void {
  const isLeftToBrowser = fireEvent.keyDown(element, { key: 'Enter' })
  fireEvent.keyUp(element, { key: 'Enter' })
  if (isLeftToBrowser && element instanceof HTMLInputElement) element.form?.requestSubmit()
}

export const valueOf = (element: HTMLElement) => ('value' in element ? element.value : undefined)
export const holds = (label: string | RegExp, value: string) =>
  until(async () => expect(valueOf(await field(label))).toBe(value))

/** The part of the page with a role and a name. */
export const part = async (role: string, name?: string | RegExp) =>
  within(await screen.findByRole(role, name === undefined ? {} : { name }))
export const notifications = () => part('region', 'Notifications')
export const toast = async (text: string | RegExp) => (await notifications()).findByText(text)
export const focused = (element: HTMLElement) => until(() => expect(document.activeElement).toBe(element))
/** The accessible description. */
export const descriptionOf = (element: HTMLElement) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ')
    .trim()

export const textsOf = (elements: readonly HTMLElement[]) => elements.map(({ textContent }) => textContent)
/** The body of the last of these calls. */
export const bodyOf = (server: FakeServer, call: string) => server.bodies.findLast((one) => one.call === call)?.body
