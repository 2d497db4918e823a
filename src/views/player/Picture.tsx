import type { ReactNode } from 'react'
import type { Mask } from '../../api/contract/masks.ts'
import type { VideoPort } from '../../api/media/controller/media-controller.ts'
import { maskData } from './masked.ts'
import { MaskOverlay } from './MaskOverlay.tsx'
import { useVideoRef } from './use-video-ref.ts'
import type { Magnifier } from './use-magnifier.ts'
import styles from './Picture.module.css'

type PictureProps = Pick<Magnifier, 'frameRef' | 'zoomRef'> & {
  controller: VideoPort
  isMagnified: boolean
  masks: readonly Mask[]
  /** Lies on the picture and is magnified with it. */
  children?: ReactNode
}

/** The last frame covers the `<video>` while a source loads, so that it is never black. Cameras have no captions. */
export function Picture({ controller, frameRef, zoomRef, isMagnified, masks, children }: PictureProps) {
  const { still, videoRef } = useVideoRef(controller)
  return (
    <div className={styles.frame} ref={frameRef} data-magnified={isMagnified || undefined}>
      <div className={styles.zoom} ref={zoomRef}>
        <canvas ref={still} className={styles.still} aria-hidden="true" hidden />
        <video
          ref={videoRef}
          className={styles.video}
          playsInline
          disableRemotePlayback
          disablePictureInPicture={masks.length > 0}
          data-masks={maskData(masks)}
          tabIndex={-1}
        >
          <track kind="captions" />
        </video>
        <MaskOverlay masks={masks} className={styles.masks} />
        {children}
      </div>
    </div>
  )
}
