import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import {
  BookmarkPlus,
  Camera,
  ChartNoAxesColumn,
  ChevronFirst,
  ChevronLast,
  Download,
  Ellipsis,
  FastForward,
  Maximize,
  Minimize,
  Move,
  Pause,
  PictureInPicture2,
  Play,
  Radio,
  SkipBack,
  SkipForward,
  StepBack,
  StepForward,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import { useRef, useState } from 'react'
import type { Capabilities } from '../../api/media/capabilities.ts'
import type { PlaybackClock, VideoPort } from '../../api/media/controller/media-controller.ts'
import {
  selectCanBookmark,
  selectCanDownload,
  selectCanGoLive,
  selectIsFull,
  selectIsPlaying,
  selectIsTakingSnapshot,
  selectMode,
  selectRate,
  type MediaRef,
  type PlayerRef,
} from '../../machines/player/player.selectors.ts'
import { type PtzRef, selectHasPtz, selectIsPadOpen } from '../../machines/ptz/ptz.selectors.ts'
import { PtzLayer } from '../ptz/PtzLayer.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { useDeferred } from '../ui/deferred.ts'
import { Menu, MenuItem } from '../ui/Menu.tsx'
import { shuttle } from './deferred-shuttle.ts'
import { playerDrive } from './shuttle-drive.ts'
import { Sound } from './Sound.tsx'
import { SpeedMenu } from './SpeedMenu.tsx'
import { panels } from './panels.ts'
import type { Magnifier } from './use-magnifier.ts'
import styles from './Controls.module.css'

interface ControlsProps {
  player: PlayerRef
  media: MediaRef
  controller: VideoPort & PlaybackClock
  capabilities: Capabilities
  magnifier: Magnifier
  clock: () => number | null
  ptz: PtzRef | null
}

/** The controls over the picture's lower edge. They fade, but keep their names and stay in the tab order. */
export function Controls({ player, media, controller, capabilities, magnifier, clock, ptz }: ControlsProps) {
  const { t } = useLingui()
  const mode = useSelector(player, selectMode)
  const isFull = useSelector(player, selectIsFull)
  const canBookmark = useSelector(player, selectCanBookmark)
  const isPlaying = useSelector(media, selectIsPlaying)
  const rate = useSelector(media, selectRate)
  const hasPtz = useSelector(ptz ?? undefined, selectHasPtz) && mode === 'live'
  const isPadOpen = useSelector(ptz ?? undefined, selectIsPadOpen)
  const [hasStatistics, setHasStatistics] = useState(false)
  const parts = useDeferred(panels, hasStatistics)
  const [hasShuttle, setHasShuttle] = useState(false)
  // It takes the focus when it opens: it must not do so later, when the archive plays again.
  if (hasShuttle && mode === 'live') setHasShuttle(false)
  const shuttleParts = useDeferred(shuttle, hasShuttle)
  const bar = useRef<HTMLDivElement>(null)
  const skip = (to: 'fragment' | 'annotation', direction: 1 | -1) => {
    const at = clock()
    if (at !== null) player.send({ type: 'skip.requested', to, direction, at })
  }
  const onlyWide = styles.extra ?? ''
  const overlay = { variant: 'overlay', placement: 'top' } as const
  // On a narrow picture, jumps and tools are in a menu.
  const jumps = [
    {
      label: t`Previous event`,
      shortcut: '{',
      icon: <ChevronFirst size={16} />,
      onPress: () => skip('annotation', -1),
    },
    { label: t`Previous fragment`, shortcut: '[', icon: <SkipBack size={16} />, onPress: () => skip('fragment', -1) },
    {
      label: t`Previous frame`,
      shortcut: ',',
      icon: <StepBack size={16} />,
      onPress: () => player.send({ type: 'step.requested', direction: -1 }),
    },
    {
      label: t`Next frame`,
      shortcut: '.',
      icon: <StepForward size={16} />,
      onPress: () => player.send({ type: 'step.requested', direction: 1 }),
    },
    { label: t`Next fragment`, shortcut: ']', icon: <SkipForward size={16} />, onPress: () => skip('fragment', 1) },
    { label: t`Next event`, shortcut: '}', icon: <ChevronLast size={16} />, onPress: () => skip('annotation', 1) },
  ]
  const zooms = [
    {
      label: t`Shrink`,
      tooltip: t`Digital zoom −`,
      icon: <ZoomOut size={20} />,
      disabled: magnifier.scale === 1,
      onPress: magnifier.shrink,
    },
    { label: t`Magnify`, tooltip: t`Digital zoom +`, icon: <ZoomIn size={20} />, onPress: magnifier.magnify },
  ]
  const togglePictureInPicture = () => controller.togglePictureInPicture()
  const togglePad = () => ptz?.send({ type: 'pad.toggled' })
  const tools = [
    ...(hasPtz ? [{ label: t`PTZ`, pressed: isPadOpen, icon: <Move size={20} />, onPress: togglePad }] : []),
    ...(canBookmark
      ? [
          {
            label: t`Bookmark`,
            shortcut: 'B',
            icon: <BookmarkPlus size={20} />,
            onPress: () => player.send({ type: 'panel.opened', panel: 'bookmark', at: clock() }),
          },
        ]
      : []),
    ...(mode === 'archive'
      ? [
          {
            label: t`Shuttle`,
            pressed: hasShuttle,
            icon: <FastForward size={20} />,
            onPress: () => setHasShuttle(!hasShuttle),
          },
        ]
      : []),
    {
      label: t`Statistics`,
      pressed: hasStatistics,
      icon: <ChartNoAxesColumn size={20} />,
      onPress: () => setHasStatistics(!hasStatistics),
    },
    ...(capabilities.hasPictureInPicture
      ? [{ label: t`Picture in picture`, icon: <PictureInPicture2 size={20} />, onPress: togglePictureInPicture }]
      : []),
  ]
  /** Closes, and returns the focus to the button that opened it, or to the menu that holds this button. */
  const closing = (close: () => void, name: string) => () => {
    close()
    const openers = [name, t`Show more`]
    const opener = [...(bar.current?.querySelectorAll('button') ?? [])].find(
      (button) => openers.includes(button.ariaLabel ?? '') && button.checkVisibility(),
    )
    opener?.focus()
  }
  const closeStatistics = closing(() => setHasStatistics(false), t`Statistics`)
  return (
    <>
      {ptz !== null && hasPtz && <PtzLayer ptz={ptz} onClose={closing(togglePad, t`PTZ`)} />}
      {shuttleParts !== null && (
        <shuttleParts.Shuttle
          drive={playerDrive(player, media)}
          onClose={closing(() => setHasShuttle(false), t`Shuttle`)}
        />
      )}
      {parts !== null && <parts.Statistics {...{ player, media, controller }} onClose={closeStatistics} />}
      <div ref={bar} className={styles.controls} data-resting={!isPlaying || undefined}>
        <div className={styles.group}>
          <IconButton
            {...overlay}
            label={isPlaying ? t`Pause` : t`Play`}
            shortcut="K"
            icon={isPlaying ? <Pause size={20} /> : <Play size={20} />}
            onPress={() => player.send({ type: isPlaying ? 'pause.requested' : 'play.requested' })}
          />
          {jumps.map((jump) => (
            <IconButton key={jump.label} {...overlay} {...jump} className={onlyWide} />
          ))}
          {useSelector(player, selectCanGoLive) && (
            <IconButton
              {...overlay}
              label={t`Go live`}
              shortcut="G"
              icon={<Radio size={20} />}
              pressed={mode === 'live'}
              onPress={() => player.send({ type: 'live.requested' })}
            />
          )}
          <SpeedMenu
            rate={rate}
            variant="overlay"
            onChoose={(speed) => player.send({ type: 'speed.chosen', rate: speed })}
          />
          <Sound player={player} media={media} hasVolume={capabilities.hasVolume} />
          <span className={styles.more}>
            <Menu label={t`Show more`} variant="overlay" placement="top start" trigger={<Ellipsis size={20} />}>
              {[...jumps, ...zooms, ...tools].map(({ label, icon, onPress }) => (
                <MenuItem key={label} text={label} icon={icon} onAction={onPress}>
                  {label}
                </MenuItem>
              ))}
            </Menu>
          </span>
        </div>
        <div className={styles.group}>
          {zooms.map((zoom) => (
            <IconButton key={zoom.label} {...overlay} {...zoom} className={styles.zoom ?? ''} />
          ))}
          <IconButton
            {...overlay}
            label={t`Snapshot`}
            shortcut="S"
            icon={<Camera size={20} />}
            disabled={useSelector(player, selectIsTakingSnapshot)}
            onPress={() => player.send({ type: 'snapshot.requested' })}
          />
          {useSelector(player, selectCanDownload) && (
            <IconButton
              {...overlay}
              label={t`Download`}
              icon={<Download size={20} />}
              onPress={() => player.send({ type: 'panel.opened', panel: 'download', at: clock() })}
            />
          )}
          {tools.map((tool) => (
            <IconButton key={tool.label} {...overlay} {...tool} className={onlyWide} />
          ))}
          {capabilities.fullScreen !== 'none' && (
            <IconButton
              {...overlay}
              label={t`Full screen`}
              shortcut="F"
              pressed={isFull}
              icon={isFull ? <Minimize size={20} /> : <Maximize size={20} />}
              onPress={() => player.send({ type: 'fullScreen.toggled' })}
            />
          )}
        </div>
      </div>
    </>
  )
}
