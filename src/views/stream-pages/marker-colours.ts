import { useLingui } from '@lingui/react/macro'

/** Colours that differ from each other and from the signal colours in both themes. */
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

/** Degrees of hue: a colour farther than this from the whole palette has no name. */
const maxDistance = 30

/** 0 to 255: a colour with less between its highest and lowest component is a grey. */
const minChroma = 40

/** The components of `#rgb` or `#rrggbb`, 0 to 255; null for anything else. */
function componentsOf(colour: string): number[] | null {
  const short = /^#[0-9a-f]{3}$/i.test(colour)
  if (!short && !/^#[0-9a-f]{6}$/i.test(colour)) return null
  const length = short ? 1 : 2
  return [0, 1, 2].map((part) =>
    Number.parseInt(colour.slice(1 + part * length, 1 + (part + 1) * length).repeat(short ? 2 : 1), 16),
  )
}

/** The hue in degrees; null for a grey and for a colour that isn't hexadecimal. */
function hueOf(colour: string): number | null {
  const [red = 0, green = 0, blue = 0] = componentsOf(colour) ?? []
  const max = Math.max(red, green, blue)
  const chroma = max - Math.min(red, green, blue)
  if (chroma < minChroma) return null
  if (max === red) return 60 * ((green - blue) / chroma)
  return max === green ? 60 * (2 + (blue - red) / chroma) : 60 * (4 + (red - green) / chroma)
}

/** The palette colour with the nearest hue; null if none is near. */
export function nearestMarker(colour: string): PaletteColour | null {
  const hue = hueOf(colour)
  if (hue === null) return null
  const distanceTo = (other: PaletteColour) => {
    const apart = Math.abs(hue - (hueOf(other) ?? 0)) % 360
    return Math.min(apart, 360 - apart)
  }
  const [nearest] = markerPalette.toSorted((one, other) => distanceTo(one) - distanceTo(other))
  return nearest !== undefined && distanceTo(nearest) <= maxDistance ? nearest : null
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
