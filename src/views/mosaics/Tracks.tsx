import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { type CSSProperties, useEffect, useRef } from 'react'
import { selectEdge, selectTracks, type SyncPlaybackRef } from '../../machines/mosaics/sync-playback.selectors.ts'
import { recordedAt } from '../../machines/mosaics/track-plan.ts'
import { lengthOf, xToTime } from '../../machines/timeline/timeline-geometry.ts'
import type { BandWords } from '../timeline/band-loop.ts'
import { isComplete } from '../timeline/complete-elements.ts'
import { watchGestures } from '../timeline/gestures.ts'
import { type InOutMarksPort, selectionGrip } from '../timeline/selection-grip.ts'
import { useSliderKeys } from '../timeline/slider-keys.ts'
import { trackHeight, runTracks } from './tracks-loop.ts'
import { SliderBand } from '../timeline/SliderBand.tsx'
import styles from './Tracks.module.css'

interface TracksProps {
  syncPlayback: SyncPlaybackRef
  tiles: readonly { readonly key: string; readonly name: string }[]
  clock: () => number | null
  words: BandWords
  /** Whether dragging sets the marks; with Shift it always does. */
  isSelecting: boolean
}

export function Tracks({ syncPlayback, tiles, clock, words, isSelecting }: TracksProps) {
  const { t } = useLingui()
  const tracks = useSelector(syncPlayback, selectTracks)
  const slider = useRef<HTMLDivElement>(null)
  const axis = useRef<HTMLCanvasElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const playhead = useRef<HTMLDivElement>(null)
  const names = useRef<HTMLUListElement>(null)
  const order = tiles.map(({ key }) => key).join(' ')
  const count = tiles.length

  const intervalsOf = () => tiles.map(({ key }) => tracks[key]?.getSnapshot().context.intervals ?? [])
  const describe = (at: number) => {
    const time = words.momentText(at, syncPlayback.getSnapshot().context.now)
    const recorded = intervalsOf().filter((intervals) => recordedAt({ intervals, at }) === 'recorded').length
    return t`${time}, ${recorded} of ${count} recorded`
  }
  const newest = useRef({ clock, words, intervalsOf, describe, isSelecting })
  useEffect(() => {
    newest.current = { clock, words, intervalsOf, describe, isSelecting }
  })

  useEffect(() => {
    const elements = { slider: slider.current, axis: axis.current, tracks: canvas.current, playhead: playhead.current }
    if (!isComplete(elements)) return undefined
    const context = () => syncPlayback.getSnapshot().context
    const marksPort: InOutMarksPort = {
      read: () => context().marks,
      span: (from, to) => syncPlayback.send({ type: 'selection.spanned', from, to }),
    }
    // The machine knows the width after the first frame.
    const widthNow = () => context().width || elements.slider.clientWidth
    const timeAt = (x: number) => xToTime(context().period, widthNow(), x)
    const gestures = watchGestures(elements.slider, {
      onPanned: (pixels) => {
        const { period } = context()
        syncPlayback.send({ type: 'timeline.panned', to: period.from - (pixels / widthNow()) * lengthOf(period) })
      },
      onZoomed: (factor, x) => syncPlayback.send({ type: 'timeline.zoomedAt', factor, at: timeAt(x) }),
      onPicked: (x) => syncPlayback.send({ type: 'moment.requested', at: Math.round(timeAt(x)) }),
      onGrabbed: (x, press) => {
        const { period, now } = context()
        const { isSelecting: isSelectingNow } = newest.current
        return selectionGrip(marksPort, { period, now, width: widthNow() }, x, {
          ...press,
          isSelecting: isSelectingNow,
        })
      },
      onHovered: () => undefined,
    })
    const stopTracks = runTracks(elements, count, {
      applyGestures: gestures.flush,
      shown: () => {
        const { period, now, marks } = context()
        return { period, now, selection: marks, tracks: newest.current.intervalsOf() }
      },
      clock: () => newest.current.clock(),
      words: () => newest.current.words,
      describe: (at) => newest.current.describe(at),
      onResized: (width) => syncPlayback.send({ type: 'timeline.resized', width }),
    })
    return () => {
      gestures.stop()
      stopTracks()
    }
  }, [syncPlayback, count])

  useEffect(() => {
    const keys = new Map(order.split(' ').map((key, row) => [names.current?.children[row], key]))
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries)
        syncPlayback.send({ type: 'track.seen', key: keys.get(target) ?? '', isSeen: isIntersecting })
    })
    for (const row of keys.keys()) if (row !== undefined) observer.observe(row)
    return () => observer.disconnect()
  }, [syncPlayback, order])

  const onKeyDown = useSliderKeys({
    clock,
    shown: () => {
      const snapshot = syncPlayback.getSnapshot()
      const { period, now } = snapshot.context
      return { period, now, edge: selectEdge(snapshot) }
    },
    onSought: (at) => syncPlayback.send({ type: 'moment.requested', at }),
    onZoomed: (direction, at) =>
      syncPlayback.send({ type: direction === 'in' ? 'timeline.zoomedIn' : 'timeline.zoomedOut', at }),
  })

  return (
    <div className={styles.tracks} style={{ '--track': `${trackHeight}px` } as CSSProperties}>
      <ul ref={names} className={styles.names} aria-label={t`Cameras`}>
        {tiles.map(({ key, name }) => (
          <li key={key} title={name}>
            {name}
          </li>
        ))}
      </ul>
      <SliderBand
        ref={slider}
        className={styles.band}
        label={t`Timeline`}
        isSelecting={isSelecting}
        onKeyDown={onKeyDown}
      >
        <canvas ref={axis} className={styles.axis} aria-hidden="true" />
        <canvas ref={canvas} className={styles.canvas} style={{ height: trackHeight * count }} aria-hidden="true" />
        <div ref={playhead} className={styles.playhead} hidden />
      </SliderBand>
    </div>
  )
}
