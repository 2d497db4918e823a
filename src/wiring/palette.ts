import { createElement } from 'react'
import { createActor, fromPromise } from 'xstate'
import { search } from '../api/resources/stream-administration.ts'
import type { AppRef } from '../machines/app/app.selectors.ts'
import type { Place } from '../machines/palette/choices.ts'
import { paletteMachine } from '../machines/palette/palette.machine.ts'
import { type PaletteRef, selectIsOpen } from '../machines/palette/palette.selectors.ts'
import { ensureTemporal } from '../machines/temporal.ts'
import { useConsole } from '../views/app/console.ts'
import { Palette } from '../views/palette/Palette.tsx'
import { watchPath, watchViewer } from './viewer.ts'
import { zoneShown } from './zone.ts'

const started: { palette: PaletteRef | null } = { palette: null }

/** The palette of this visit, begun when it is first asked for; it forgets where one went when somebody else is here. */
function paletteBeside(app: AppRef): PaletteRef {
  started.palette ??= begin(app)
  return started.palette
}

function begin(app: AppRef): PaletteRef {
  const logic = paletteMachine.provide({
    actors: { search: fromPromise(({ input: { query }, signal }) => search(query, signal)) },
    actions: { navigate: (_args, { href }) => app.send({ type: 'navigation.requested', href }) },
  })
  const palette = createActor(logic).start()
  if (import.meta.env.MODE !== 'production') void import('../views/dev/dev.ts').then(({ attach }) => attach(palette))
  watchViewer(app, () => palette.send({ type: 'viewer.changed' }))
  watchPath(app, () => palette.send({ type: 'palette.dismissed' }))
  return palette
}

function placeIn(app: AppRef, pages: Place['pages']): Place {
  const { user, settings, subject, route, address } = app.getSnapshot().context
  return {
    now: Date.now(),
    zone: zoneShown(settings.timezone),
    stream: subject?.kind === 'stream' ? { uid: subject.id, name: subject.name } : null,
    search: route.name === 'streamView' ? address.search : '',
    pages,
    isAdmin: user?.isAdmin === true,
  }
}

/** A palette reads local time. */
export async function toggle(app: AppRef, pages: Place['pages']): Promise<void> {
  await ensureTemporal()
  const palette = paletteBeside(app)
  palette.send(selectIsOpen(palette.getSnapshot()) ? { type: 'palette.dismissed' } : { type: 'palette.opened', place: placeIn(app, pages) })
}

/** The default, as the shell asks for it. */
export default function View() {
  return createElement(Palette, { actor: paletteBeside(useConsole().app) })
}
