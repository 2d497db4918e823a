import { useSelector } from '@xstate/react'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { selectSettings } from '../../machines/app/app.selectors.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { liveAddress, searchOf } from '../../machines/player/address.ts'
import { type PlayerRef, selectUid } from '../../machines/player/player.selectors.ts'
import { selectCanAdmin, type StreamRef } from '../../machines/stream/stream.selectors.ts'
import { useApp, useConsole } from '../app/console.ts'

/** Opens the page that shares the stream, with the range of the marks; undefined if the user may not share it. */
export function useShare(player: PlayerRef, stream: StreamRef): ((range: TimeRange) => void) | undefined {
  const { app } = useConsole()
  const hasRanges = useApp(selectSettings).features.includes('share-range')
  const canAdmin = useSelector(stream, selectCanAdmin)
  if (!canAdmin || !hasRanges) return undefined
  return (selection) => {
    const path = pathTo('streamInfo', { uid: selectUid(player.getSnapshot()) })
    app.send({ type: 'navigation.requested', href: path + searchOf('', { ...liveAddress, selection }) })
  }
}
