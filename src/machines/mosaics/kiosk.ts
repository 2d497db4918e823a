import type { Address } from '../app/app.events.ts'

/** A screen on a wall, which shows the pictures alone: a mosaic with `?kiosk=1`. */
export const isKiosk = ({ pathname, search }: Pick<Address, 'pathname' | 'search'>): boolean =>
  pathname.startsWith('/mosaic/') && new URLSearchParams(search).get('kiosk') === '1'

/** How long each tile is shown in full, by `cycle=20s`; 0 where none is. */
export const cycleSeconds = ({ search }: Pick<Address, 'search'>): number =>
  Number(/^(\d{1,4})s?$/.exec(new URLSearchParams(search).get('cycle') ?? '')?.[1] ?? 0)
