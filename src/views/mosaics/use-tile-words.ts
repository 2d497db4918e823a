import { useEffect, useState } from 'react'
import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import type { Stream } from '../../api/contract/stream.ts'
import { formatClock, formatDay, formatMoment } from '../../i18n/formats.ts'
import type { TrackState } from '../../machines/mosaics/sync-playback.selectors.ts'
import type { TileRef } from '../../machines/mosaics/track.events.ts'
import {
  selectIsLost,
  selectLastFrameAt,
  selectMediaFailure,
  selectRefusedCodec,
} from '../../machines/player/player.selectors.ts'
import { useLossReason } from '../player/loss-words.ts'
import { useStatusWord } from '../streams/stream-words.tsx'
import type { Look } from './tile-look.ts'

/** After this, a tile says that it has no picture instead of that it is loading. */
const loadingTextMs = 5000

/** The texts of a tile: its state, the reason if there is no picture, and since when. */
export interface TileWords {
  readonly title: string
  readonly reason: string
  readonly since: string
}

interface TileWordsInput {
  tile: TileRef
  stream: Stream | undefined
  look: Look
  state: TrackState
  zone: string
  /** The moment of the last frame, still on the screen; null if there is none. */
  shownAt: () => number | null
}

export function useTileWords({ tile, stream, look, state, zone, shownAt }: TileWordsInput): TileWords {
  const { t } = useLingui()
  const reasonOf = useLossReason()
  const statusWord = useStatusWord()
  const codec = useSelector(tile, selectRefusedCodec)
  const failure = useSelector(tile, selectMediaFailure)
  const isLost = useSelector(tile, selectIsLost)
  const lastFrameAt = useSelector(tile, selectLastFrameAt)
  const isLate = useLasting(look === 'loading')
  const just = (title: string, reason = ''): TileWords => ({ title, reason, since: '' })
  const lost = (): TileWords => {
    const at = isLost ? (lastFrameAt ?? shownAt()) : null
    const moment = at === null ? '' : sinceText(at, zone)
    const since = moment === '' ? '' : t`since ${moment}`
    return { title: t`No live picture`, reason: reasonOf({ mode: 'live', stream, failure }), since }
  }
  switch (look) {
    case 'off':
      if (stream === undefined) return just(t`Deleted, or you have no access`)
      if (stream.status === 'paused') return just(t`The stream is paused`)
      if (stream.status === 'failed') return lost()
      return ['running', 'pending', ''].includes(stream.status)
        ? just(t`The stream is unavailable`, t`Its server is not responding.`)
        : just(statusWord(stream.status))
    case 'broken':
      return state === 'recorded'
        ? just(t`The recording can't be loaded`, reasonOf({ mode: 'archive', stream, failure }))
        : lost()
    case 'paused':
      return just(t`Paused`)
    case 'loading':
      return isLate ? just(t`No picture yet`, t`Waiting for the video…`) : just(t`Loading…`)
    case 'live':
      return just(state === 'forbidden' ? t`Live; you have no access to the archive` : t`Live`)
    case 'archive':
      return just(t`Archive`)
    case 'gap':
      return just(t`No recording`)
    case 'stalled':
      return just(t`Waiting for the picture`)
    case 'codec':
      return just(codec === null ? t`This browser can't play this video's format` : t`This browser can't play ${codec}`)
    case 'refused':
      return just(t`You don't have access`)
  }
}

/** The time, with the date unless it is today. */
function sinceText(at: number, timeZone: string): string {
  const isToday = formatDay(at, timeZone) === formatDay(Date.now(), timeZone)
  return isToday ? formatClock(at, timeZone) : formatMoment(at, timeZone)
}

function useLasting(isOn: boolean): boolean {
  const [hasLasted, setLasted] = useState(false)
  useEffect(() => {
    if (!isOn) return undefined
    const timer = setTimeout(() => setLasted(true), loadingTextMs)
    return () => {
      clearTimeout(timer)
      setLasted(false)
    }
  }, [isOn])
  return hasLasted
}
