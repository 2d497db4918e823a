import { Plural } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Mask } from '../../api/contract/masks.ts'
import type { VideoPort } from '../../api/media/controller/media-controller.ts'
import { MaskedVideo } from './MaskedVideo.tsx'
import type { Magnifier } from './use-magnifier.ts'
import styles from './Picture.module.css'

type PictureProps = Pick<Magnifier, 'frameRef' | 'zoomRef'> & {
  controller: VideoPort
  isMagnified: boolean
  masks: readonly Mask[]
  /** Lies on the picture and is magnified with it. */
  children?: ReactNode
}

const classes = { still: styles.still, video: styles.video, masks: styles.masks }

export function Picture({ controller, frameRef, zoomRef, isMagnified, masks, children }: PictureProps) {
  return (
    <div className={styles.frame} ref={frameRef} data-magnified={isMagnified || undefined}>
      <div className={styles.zoom} ref={zoomRef}>
        <MaskedVideo controller={controller} masks={masks} classes={classes} />
        {children}
      </div>
      {masks.length > 0 && (
        <p className="visually-hidden">
          <Plural
            value={masks.length}
            one="# privacy mask covers part of the picture"
            other="# privacy masks cover parts of the picture"
          />
        </p>
      )}
    </div>
  )
}
