import { createElement } from 'react'
import { fromPromise } from 'xstate'
import { search } from '../../api/resources/stream-administration.ts'
import { type AppRef, selectPalette } from '../../machines/app/app.selectors.ts'
import type { PaletteScope } from '../../machines/palette/choices.ts'
import { paletteMachine } from '../../machines/palette/palette.machine.ts'
import { ensureTemporal } from '../../machines/temporal.ts'
import { useApp } from '../../views/app/console.ts'
import { Palette } from '../../views/palette/Palette.tsx'
import { zoneShown } from '../shared/zone.ts'

const logic = paletteMachine.provide({
  actors: { search: fromPromise(({ input: { query }, signal }) => search(query, signal)) },
})

function scopeOf(app: AppRef, pages: PaletteScope['pages']): PaletteScope {
  const { user, settings, subject, route, address } = app.getSnapshot().context
  return {
    now: Date.now(),
    zone: zoneShown(settings.timezone),
    stream: subject?.kind === 'stream' ? { uid: subject.id, name: subject.name } : null,
    mosaic: route.name === 'mosaic' && subject?.kind === 'mosaic' ? { id: subject.id, name: subject.name } : null,
    search: route.name === 'streamView' || route.name === 'mosaic' ? address.search : '',
    pages,
    isAdmin: user?.isAdmin === true,
  }
}

/** Opens or closes the palette, whose machine the root runs from then on. It reads typed times with Temporal. */
export async function toggle(app: AppRef, pages: PaletteScope['pages']): Promise<void> {
  await ensureTemporal()
  app.send({ type: 'palette.loaded', logic })
  selectPalette(app.getSnapshot())?.send({ type: 'palette.toggled', scope: scopeOf(app, pages) })
}

export default function View() {
  const actor = useApp(selectPalette)
  return actor === null ? null : createElement(Palette, { actor })
}
