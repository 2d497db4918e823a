import type { Rendition } from '../../api/contract/archive.ts'
import type { Stream } from '../../api/contract/stream.ts'
import type { PictureBox } from '../../api/media/controller/picture-box.ts'
import type { Source } from '../../api/media/controller/media-controller.ts'

/** The renditions of a stream, none if the server doesn't announce them, and the codec of the main one. */
export interface Offer {
  readonly renditions: readonly string[]
  readonly codec: string
}

/**
 * Why a rendition was chosen. `only`: there is no other to choose; `large` and `small`: the width of the picture;
 * `full`: it fills the screen; `magnified`: it is digitally zoomed; `phone`: the width of the window; `fast` and
 * `reverse`: the rate in the archive; `codec`: the browser can't play the main one.
 */
export type RenditionReason = 'only' | 'large' | 'full' | 'magnified' | 'small' | 'phone' | 'fast' | 'reverse' | 'codec'

export interface RenditionChoice {
  readonly rendition: Rendition
  readonly reason: RenditionReason
}

/** What decides the rendition. */
export interface Situation {
  readonly offered: readonly string[]
  /** Renditions that this browser can't decode. */
  readonly refused: readonly Rendition[]
  readonly kind: Source['kind']
  /** Negative: backwards. */
  readonly rate: number
  /** Null before the picture has been laid out. */
  readonly box: PictureBox | null
  readonly isMagnified: boolean
  /** The choice before this one. */
  readonly before: RenditionChoice
}

/** Widths in CSS pixels (docs/behaviour.md §7, renditions). A small picture stays small up to `largeWidth`. */
const smallWidth = 640
const largeWidth = 680
const phoneWidth = 615
const fastRate = 4

export const mainOnly: RenditionChoice = { rendition: 'main', reason: 'only' }

/**
 * The rendition to play (docs/behaviour.md §7, renditions). The rate counts only in the archive, as live plays faster
 * only to catch up.
 */
export function renditionFor({ offered, refused, kind, rate, box, isMagnified, before }: Situation): RenditionChoice {
  const can = (rendition: Rendition) => offered.includes(rendition) && !refused.includes(rendition)
  if (refused.includes('main')) {
    if (can('sub')) return { rendition: 'sub', reason: 'codec' }
    return can('compatible') ? { rendition: 'compatible', reason: 'codec' } : mainOnly
  }
  if (!can('sub')) return mainOnly
  if (isMagnified) return { rendition: 'main', reason: 'magnified' }
  if (kind === 'archive' && rate < 0) return { rendition: 'sub', reason: 'reverse' }
  if (kind === 'archive' && rate >= fastRate) return { rendition: 'sub', reason: 'fast' }
  if (box === null) return { rendition: 'main', reason: 'large' }
  if (box.isFull) return { rendition: 'main', reason: 'full' }
  if (box.viewportWidth < phoneWidth) return { rendition: 'sub', reason: 'phone' }
  const isSmall = box.width < (before.reason === 'small' ? largeWidth : smallWidth)
  return isSmall ? { rendition: 'sub', reason: 'small' } : { rendition: 'main', reason: 'large' }
}

/** The source with the chosen rendition. */
export const sourceFor = (source: Source, { rendition }: RenditionChoice): Source =>
  rendition === 'main' ? source : { ...source, rendition }

export const offerOf = ({ renditions, video, tracks }: Stream): Offer => ({
  renditions: renditions ?? [],
  codec: video?.codec || tracks?.find(({ type }) => type === 'video')?.codec || '',
})
