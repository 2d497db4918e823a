import { useLingui } from '@lingui/react/macro'
import { selectKeyReach } from '../../machines/app/app.selectors.ts'
import { paletteKey, shortcutsKey } from '../../machines/keyboard/anywhere.ts'
import {
  chartKeys,
  mosaicArchiveKeys,
  mosaicKeys,
  paletteKeys,
  playerKeys,
  ptzKeys,
  streamListKeys,
  timelineKeys,
} from '../../machines/keyboard/bindings.ts'
import { useApp, useConsole } from '../app/console.ts'
import { CheckField } from '../ui/Field.tsx'
import styles from './Help.module.css'

const names: Readonly<Record<string, string>> = {
  arrowleft: '←',
  arrowright: '→',
  arrowup: '↑',
  arrowdown: '↓',
  pageup: 'Page Up',
  pagedown: 'Page Down',
  home: 'Home',
  end: 'End',
  escape: 'Esc',
  enter: 'Enter',
  '-': '−',
}
/** Keys that are another listed key without Shift. */
const aliases: ReadonlySet<string> = new Set(['=', '_'])
const maxShownKeys = 4

/** The shortcuts, and the setting that limits single keys to the focused player (WCAG 2.1.4). */
export function Shortcuts() {
  const { t } = useLingui()
  const { app } = useConsole()
  const keyReach = useApp(selectKeyReach)
  const nameOf = (key: string) => (key === ' ' ? t`Space` : (names[key] ?? key.toUpperCase()))
  const shown = (keys: readonly string[]) => {
    const all = keys.filter((key) => !aliases.has(key)).map(nameOf)
    return all.length > maxShownKeys ? [all[0] ?? '', '…', all.at(-1) ?? ''] : all
  }
  const rows = <Act extends string>(
    bindings: Readonly<Record<Act, readonly string[]>>,
    words: Readonly<Record<Act, string>>,
  ) => {
    const keysOf = new Map<string, readonly string[]>(Object.entries(bindings))
    const keys = new Map<string, readonly string[]>()
    for (const [act, does] of Object.entries<string>(words))
      keys.set(does, [...(keys.get(does) ?? []), ...(keysOf.get(act) ?? [])])
    return [...keys].map(([does, all]) => ({ keys: shown(all), does }))
  }
  const moves = t`Move from camera to camera`
  const groups = [
    {
      name: t`Anywhere`,
      keys: [
        {
          keys: ['Ctrl', '⌘'].map((held) => `${held} ${paletteKey.toUpperCase()}`),
          does: t`Go to a stream, a mosaic, a user, a page or a time`,
        },
        { keys: [shortcutsKey], does: t`Show these shortcuts` },
        { keys: ['Ctrl Z', '⌘ Z'], does: t`Undo, in the editors of mosaics, privacy masks and floor plans` },
      ],
    },
    {
      name: t`In the player`,
      keys: rows(playerKeys, {
        toggle: t`Play or pause`,
        back: t`Back 10 seconds`,
        forward: t`Forward 10 seconds`,
        faster: t`Play, then faster`,
        reverse: t`Play the archive backwards, then faster`,
        stepBack: t`Previous frame`,
        stepForward: t`Next frame`,
        previousFragment: t`Previous fragment`,
        nextFragment: t`Next fragment`,
        previousEvent: t`Previous event`,
        nextEvent: t`Next event`,
        markIn: t`Mark in`,
        markOut: t`Mark out`,
        loop: t`Loop the selection`,
        bookmark: t`Add a bookmark`,
        goLive: t`Go live`,
        snapshot: t`Snapshot`,
        speed: t`Speed from 0.25× to 16×`,
        mute: t`Sound on or off`,
        fullScreen: t`Full screen`,
      }),
    },
    {
      name: t`In the PTZ pad`,
      keys: rows(ptzKeys, {
        left: t`Turn the camera while held`,
        right: t`Turn the camera while held`,
        up: t`Turn the camera while held`,
        down: t`Turn the camera while held`,
        zoomIn: t`Optical zoom +, while held`,
        zoomOut: t`Optical zoom −, while held`,
        close: t`Close the pad`,
      }),
    },
    {
      name: t`On the timeline`,
      keys: [
        ...rows(timelineKeys, {
          back: t`Back 10 seconds; with Shift, 1 minute`,
          forward: t`Forward 10 seconds; with Shift, 1 minute`,
          earlier: t`Back by a quarter of the shown period`,
          later: t`Forward by a quarter of the shown period`,
          start: t`To the start of the shown period`,
          end: t`To the end of the shown period`,
          zoomIn: t`Zoom in`,
          zoomOut: t`Zoom out`,
        }),
        { keys: [t`Shift + drag`], does: t`Select a range` },
      ],
    },
    {
      name: t`On a mosaic`,
      keys: [
        ...rows(mosaicKeys, {
          enlarge: t`Enlarge a camera by its number`,
          shrink: t`Back to all cameras`,
          toggle: t`Play or pause`,
          snapshot: t`Snapshot`,
          mute: t`Sound of the enlarged camera on; sound off`,
          fullScreen: t`Full screen`,
        }),
        ...rows(mosaicArchiveKeys, {
          back: t`Back 10 seconds`,
          forward: t`Forward 10 seconds`,
          faster: t`Play, then faster`,
          reverse: t`Play the archive backwards, then faster`,
          goLive: t`Go live`,
          stepBack: t`Previous frame`,
          stepForward: t`Next frame`,
          previousFragment: t`Previous fragment of any camera`,
          nextFragment: t`Next fragment of any camera`,
          markIn: t`Mark in`,
          markOut: t`Mark out`,
        }),
      ],
    },
    {
      name: t`In all streams`,
      keys: [
        ...rows(streamListKeys, {
          left: moves,
          right: moves,
          up: moves,
          down: moves,
          first: t`To the first camera`,
          last: t`To the last camera`,
          screenUp: t`A screen up`,
          screenDown: t`A screen down`,
          select: t`Select the camera; with Shift, all up to it`,
          clear: t`Clear selection`,
        }),
        { keys: ['Ctrl A', '⌘ A'], does: t`Select all cameras` },
        { keys: [nameOf('enter')], does: t`Open the camera, or add the typed text to the search` },
      ],
    },
    {
      name: t`In “Go to…”`,
      keys: rows(paletteKeys, { next: t`Next match`, previous: t`Previous match`, open: t`Open the match` }),
    },
    {
      name: t`On a chart`,
      keys: rows(chartKeys, {
        back: t`Back along the chart`,
        forward: t`Forward along the chart`,
        start: t`To the start of the shown period`,
        end: t`To the end of the shown period`,
        earlier: t`Show an earlier period`,
        later: t`Show a later period`,
        zoomIn: t`Zoom in`,
        zoomOut: t`Zoom out`,
        leave: t`Back to live`,
      }),
    },
  ]
  return (
    <>
      <CheckField
        label={t`The player's keys work on the whole page`}
        help={t`When this is off, these keys and ? work only while the focus is in the player.`}
        checked={keyReach === 'page'}
        onChange={(isWide) => app.send({ type: 'keyReach.chosen', keyReach: isWide ? 'page' : 'focus' })}
      />
      {groups.map(({ name, keys }) => (
        <section key={name} className={styles.group}>
          <h3>{name}</h3>
          <dl className={styles.keys}>
            {keys.map(({ keys: pressed, does }) => (
              <div key={does}>
                <dt>
                  {pressed.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </>
  )
}
