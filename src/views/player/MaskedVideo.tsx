import { useCallback, useRef } from 'react'
import type { Mask } from '../../api/contract/masks.ts'
import type { VideoPort } from '../../api/media/controller/media-controller.ts'
import { maskData } from './masked.ts'
import { MaskOverlay } from './MaskOverlay.tsx'

interface MaskedVideoProps {
  controller: VideoPort
  masks: readonly Mask[]
  classes: Record<'still' | 'video' | 'masks', string | undefined>
}

/**
 * A `<video>` and its privacy masks. The last frame covers it while a source loads, so that it is never black. Cameras
 * have no captions.
 */
export function MaskedVideo({ controller, masks, classes }: MaskedVideoProps) {
  const still = useRef<HTMLCanvasElement>(null)
  const attach = useCallback(
    (video: HTMLVideoElement | null) =>
      still.current === null || video === null ? undefined : controller.attach(video, still.current),
    [controller],
  )
  return (
    <>
      <canvas ref={still} className={classes.still} aria-hidden="true" hidden />
      <video
        ref={attach}
        className={classes.video}
        playsInline
        disableRemotePlayback
        disablePictureInPicture={masks.length > 0}
        data-masks={maskData(masks)}
        tabIndex={-1}
      >
        <track kind="captions" />
      </video>
      <MaskOverlay masks={masks} className={classes.masks} />
    </>
  )
}
