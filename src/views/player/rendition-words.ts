import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import {
  type MediaRef,
  selectMainCodec,
  selectRendition,
  selectRenditionReason,
} from '../../machines/player/player.selectors.ts'
import type { RenditionReason } from '../../machines/player/rendition.ts'

/** The note on a transcoded picture; null for the camera's own video. */
export function useCompatibleNote(media: MediaRef): string | null {
  const { t } = useLingui()
  const isCompatible = useSelector(media, selectRendition) === 'compatible'
  const codec = useSelector(media, selectMainCodec)
  if (!isCompatible) return null
  return codec === ''
    ? t`Transcoded video: this browser can't play the camera's format`
    : t`Transcoded video: this browser can't play ${codec}`
}

/** The playing rendition and the reason for it; null if the stream has only one. */
export function useRenditionWords(media: MediaRef): string | null {
  const { t } = useLingui()
  const rendition = useSelector(media, selectRendition)
  const reason = useSelector(media, selectRenditionReason)
  const codec = useSelector(media, selectMainCodec)
  if (rendition === null) return null
  const reasons: Record<RenditionReason, string> = {
    only: '',
    large: t`large picture`,
    full: t`full screen`,
    magnified: t`digital zoom`,
    small: t`small picture`,
    phone: t`small screen`,
    fast: t`fast playback`,
    codec: codec === '' ? t`this browser can't play the main stream` : t`this browser can't play ${codec}`,
  }
  const name = { main: t`Main stream`, sub: t`Substream`, compatible: t`Transcoded video` }[rendition]
  const why = reasons[reason]
  return why === '' ? name : t`${name}: ${why}`
}
