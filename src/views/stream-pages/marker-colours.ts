import { useLingui } from '@lingui/react/macro'

/** Colours that are distinct on both themes, and from the signal colours. */
export const markerPalette = [
  '#e5484d',
  '#f76b15',
  '#ffc53d',
  '#46a758',
  '#12a594',
  '#0090ff',
  '#8e4ec6',
  '#e93d82',
] as const

type PaletteColour = (typeof markerPalette)[number]

/** Degrees of hue; farther than this from all of the palette a colour has no word there. */
const farthest = 30

/** With less between its strongest and its weakest part a colour is a grey. */
const minChroma = 40

/** The parts of `#rgb` or `#rrggbb`, 0 to 255; null of anything else. */
function partsOf(colour: string): number[] | null {
  const short = /^#[0-9a-f]{3}$/i.test(colour)
  if (!short && !/^#[0-9a-f]{6}$/i.test(colour)) return null
  const length = short ? 1 : 2
  return [0, 1, 2].map((part) =>
    Number.parseInt(colour.slice(1 + part * length, 1 + (part + 1) * length).repeat(short ? 2 : 1), 16),
  )
}

/** Degrees round the colour wheel; null of a grey, and of what isn't written in hexadecimal. */
function hueOf(colour: string): number | null {
  const [red = 0, green = 0, blue = 0] = partsOf(colour) ?? []
  const most = Math.max(red, green, blue)
  const chroma = most - Math.min(red, green, blue)
  if (chroma < minChroma) return null
  if (most === red) return 60 * ((green - blue) / chroma)
  return most === green ? 60 * (2 + (blue - red) / chroma) : 60 * (4 + (red - green) / chroma)
}

/** The colour of the palette whose hue is nearest to another's; null where none is near. */
export function nearestMarker(colour: string): PaletteColour | null {
  const hue = hueOf(colour)
  if (hue === null) return null
  const distanceTo = (other: PaletteColour) => {
    const apart = Math.abs(hue - (hueOf(other) ?? 0)) % 360
    return Math.min(apart, 360 - apart)
  }
  const [nearest] = markerPalette.toSorted((one, other) => distanceTo(one) - distanceTo(other))
  return nearest !== undefined && distanceTo(nearest) <= farthest ? nearest : null
}

export function useMarkerNames(): Readonly<Record<PaletteColour, string>> {
  const { t } = useLingui()
  return {
    '#e5484d': t`Red`,
    '#f76b15': t`Orange`,
    '#ffc53d': t`Yellow`,
    '#46a758': t`Green`,
    '#12a594': t`Teal`,
    '#0090ff': t`Blue`,
    '#8e4ec6': t`Violet`,
    '#e93d82': t`Pink`,
  }
}
