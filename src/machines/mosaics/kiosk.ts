import type { Address } from '../app/app.events.ts'

/** Kiosk mode, for a video wall: a mosaic with `?kiosk=1` shows nothing but pictures. */
export const isKiosk = ({ pathname, search }: Pick<Address, 'pathname' | 'search'>): boolean =>
  pathname.startsWith('/mosaic/') && new URLSearchParams(search).get('kiosk') === '1'

/** For how many seconds the tour enlarges each tile, from `cycle=20s`; 0 for no tour. */
export const cycleSeconds = ({ search }: Pick<Address, 'search'>): number =>
  Number(/^(\d{1,4})s?$/.exec(new URLSearchParams(search).get('cycle') ?? '')?.[1] ?? 0)
