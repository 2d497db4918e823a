import { type RefObject, useCallback, useRef } from 'react'
import type { VideoPort } from '../../api/media/controller/media-controller.ts'

/** Refs for a `<video>` and for the `<canvas>` over it that keeps the last frame while a source changes. */
export function useVideoRef(controller: VideoPort): {
  still: RefObject<HTMLCanvasElement | null>
  videoRef: (video: HTMLVideoElement | null) => (() => void) | undefined
} {
  const still = useRef<HTMLCanvasElement>(null)
  const videoRef = useCallback(
    (video: HTMLVideoElement | null) =>
      still.current === null || video === null ? undefined : controller.attach(video, still.current),
    [controller],
  )
  return { still, videoRef }
}
