import { createElement, type ComponentProps } from 'react'
import { createStillCache } from '../../api/browser/stills.ts'
import { getPreviewAt } from '../../api/resources/archive.ts'
import type { StillsRequest } from '../../machines/timeline/thumbnails.machine.ts'
import { ThumbnailStrip } from '../../views/timeline/ThumbnailStrip.tsx'
import { withBusyRetry } from '../shared/busy-retry.ts'

/** The status of a moment without a picture. */
const noPicture = 204

const stills = createStillCache()

export const clearStills = stills.clear

/** Null for a moment without a picture, undefined after an error: that moment is requested again later. */
export const fetchStills = ({ streamId, moments }: StillsRequest, signal: AbortSignal): Promise<void> =>
  stills.fill(
    moments,
    async (at) => {
      const reply = await withBusyRetry(() => getPreviewAt(streamId, at, signal), signal)
      if (reply.ok) return reply.value
      return reply.apiError.status === noPicture ? null : undefined
    },
    signal,
  )

export function Strip(props: Omit<ComponentProps<typeof ThumbnailStrip>, 'stills'>) {
  return createElement(ThumbnailStrip, { ...props, stills })
}
