import { I18nProvider } from '@lingui/react'
import { act, cleanup, render, within } from '@testing-library/react'
import type { AppEvent, AppInput } from '../../src/machines/app/app.events.ts'
import type { RouteName } from '../../src/machines/app/routes.ts'
import { clipsMachine } from '../../src/machines/clips/clips.machine.ts'
import type { PaletteScope } from '../../src/machines/palette/choices.ts'
import { paletteMachine } from '../../src/machines/palette/palette.machine.ts'
import { activate, loadMessages, i18n } from '../../src/i18n/i18n.ts'
import { AppView } from '../../src/views/app/AppView.tsx'
import { closedPage, toasts } from '../../src/views/app/deferred-modules.ts'
import { banners } from '../../src/views/shell/Banners.tsx'
import { overlays } from '../../src/views/ui/overlays.ts'
import { ConsoleProvider, type Extras, type PageView } from '../../src/views/app/console.ts'
import { loadShell } from '../../src/views/app/shell.tsx'
import { Tray } from '../../src/views/clips/Tray.tsx'
import { Palette } from '../../src/views/palette/Palette.tsx'
import { startConsole, type World } from '../machines/console.ts'
import { settle } from '../machines/settle.ts'

/** What React Aria needs and jsdom lacks. */
Object.assign(globalThis, { CSS: { escape: (value: string) => value.replaceAll(/[^\w-]/g, String.raw`\$&`) } })

const scope: PaletteScope = {
  now: Date.parse('2026-11-26T13:30:00Z'),
  zone: 'UTC',
  stream: null,
  mosaic: null,
  search: '',
  pages: [{ href: '/help', label: 'Help' }],
  isAdmin: true,
}

interface Options {
  world?: Partial<World>
  input?: Partial<AppInput>
  language?: string
  /** The view of every page; by default a line with the route's name. */
  view?: (name: RouteName) => PageView | undefined
}

/** The whole screen at an address, with fake actors that the test controls. */
export async function openScreen(href: string, { world, input, language = 'en', view }: Options = {}) {
  cleanup()
  globalThis.history.replaceState(null, '', `/ui${href}`)
  await activate(language)
  await loadMessages('pages')
  await Promise.all([overlays, toasts, closedPage, banners].map(({ load }) => load()))
  const console = startConsole(href, world, input)
  console.actor.send({ type: 'clips.loaded', logic: clipsMachine })
  console.actor.send({ type: 'palette.loaded', logic: paletteMachine })
  const { clips, palette } = console.context()
  if (clips === null || palette === null) throw new Error('the root runs neither palette nor downloads')
  const viewOf =
    view ??
    ((name: RouteName): PageView =>
      () => <p>{`the page ${name}`}</p>)
  const extras = async (): Promise<Extras> => ({
    tray: async () => ({ default: (props) => <Tray {...props} clips={clips} /> }),
    palette: async () => ({
      default: () => <Palette actor={palette} />,
      toggle: async () => palette.send({ type: 'palette.toggled', scope }),
    }),
  })
  const screen = render(
    <I18nProvider i18n={i18n}>
      <ConsoleProvider
        value={{
          app: console.actor,
          consolePath: '/ui',
          viewOf,
          extras,
          copyText: async () => true,
          saveText: () => undefined,
          whenIdle: () => undefined,
        }}
      >
        <AppView />
      </ConsoleProvider>
    </I18nProvider>,
  )
  await act(settle)
  await act(async () => {
    await loadShell()
  })
  await act(settle)
  return {
    ...console,
    ...screen,
    clips,
    send: (event: AppEvent) => act(() => console.send(event)),
    go: (to: string) => act(() => console.go(to)),
    pass: (ms: number) =>
      act(async () => {
        console.clock.increment(ms)
        await settle()
      }),
    /** Queries within the part of the screen with a role and a name. */
    inside: (role: string, name?: string) => within(screen.getByRole(role, name === undefined ? {} : { name })),
  }
}

/** The accessible names of elements, in order. */
export const namesOf = (elements: readonly HTMLElement[]) =>
  elements.map((element) => element.getAttribute('aria-label') ?? element.textContent.trim())
