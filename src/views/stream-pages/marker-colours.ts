import { useLingui } from '@lingui/react/macro'

/** Colours that are told apart on both themes, and from the signal colours. */
export const markerPalette = ['#e5484d', '#f76b15', '#ffc53d', '#46a758', '#12a594', '#0090ff', '#8e4ec6', '#e93d82'] as const

type PaletteColour = (typeof markerPalette)[number]

/** Farther than this from all of the palette a colour has no word there: a grey, say. */
const farthest = 120

/** The parts of `#rgb` or `#rrggbb`, 0 to 255; null of anything else. */
function partsOf(colour: string): number[] | null {
  const short = /^#[0-9a-f]{3}$/i.test(colour)
  if (!short && !/^#[0-9a-f]{6}$/i.test(colour)) return null
  const length = short ? 1 : 2
  return [0, 1, 2].map((part) => Number.parseInt(colour.slice(1 + part * length, 1 + (part + 1) * length).repeat(short ? 2 : 1), 16))
}

/** The colour of the palette that looks most like another; null where none does. */
export function nearestMarker(colour: string): PaletteColour | null {
  const parts = partsOf(colour)
  if (parts === null) return null
  const distanceTo = (other: PaletteColour) => Math.hypot(...(partsOf(other) ?? []).map((part, place) => part - (parts[place] ?? 0)))
  const [nearest] = markerPalette.toSorted((one, other) => distanceTo(one) - distanceTo(other))
  return nearest !== undefined && distanceTo(nearest) <= farthest ? nearest : null
}

/** The words for the colours of the palette. */
export function useMarkerNames(): Readonly<Record<PaletteColour, string>> {
  const { t } = useLingui()
  return {
    '#e5484d': t`Red`, '#f76b15': t`Orange`, '#ffc53d': t`Yellow`, '#46a758': t`Green`,
    '#12a594': t`Teal`, '#0090ff': t`Blue`, '#8e4ec6': t`Violet`, '#e93d82': t`Pink`,
  }
}
