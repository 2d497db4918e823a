import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { formatNumber } from '../../i18n/formats.ts'
import {
  type MediaRef,
  selectMainCodec,
  selectRate,
  selectRendition,
  selectRenditionReason,
} from '../../machines/player/player.selectors.ts'
import type { RenditionReason } from '../../machines/player/rendition.ts'

/** The note on a picture that plays backwards or is transcoded; null for any other. */
export function usePictureNote(media: MediaRef): string | null {
  const { t } = useLingui()
  const rate = useSelector(media, selectRate)
  const isCompatible = useSelector(media, selectRendition) === 'compatible'
  const codec = useSelector(media, selectMainCodec)
  if (rate < 0) {
    const speed = formatNumber(-rate)
    return t`Backwards ${speed}×, keyframes only`
  }
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
    reverse: t`backward playback`,
    codec: codec === '' ? t`this browser can't play the main stream` : t`this browser can't play ${codec}`,
  }
  const name = { main: t`Main stream`, sub: t`Substream`, compatible: t`Transcoded video` }[rendition]
  const why = reasons[reason]
  return why === '' ? name : t`${name}: ${why}`
}
