import { commandOf, playerKeys, pressedKey } from '../../machines/keyboard/bindings.ts'
import {
  selectIsPlaying,
  selectRate,
  selectSelection,
  type MediaRef,
  type PlayerRef,
} from '../../machines/player/player.selectors.ts'
import { fasterBackwards, fasterForwards, speeds } from '../../machines/player/speeds.ts'
import { dialogs } from '../ui/dialogs.ts'

const tenSecondsMs = 10_000

interface KeyTargets {
  player: PlayerRef
  media: MediaRef
  clock: () => number | null
}

/** A key that is held repeats only what moves the playhead. */
const repeated: ReadonlySet<keyof typeof playerKeys> = new Set([
  'back',
  'forward',
  'stepBack',
  'stepForward',
  'previousFragment',
  'nextFragment',
  'previousEvent',
  'nextEvent',
])

const widgets = '[role="slider"], [role="menu"], [role="listbox"], [role="grid"], [data-own-keys]'
const withOwnKeys = `input, select, textarea, ${widgets}, ${dialogs}`

/** Whether the focused element has keys of its own, or a dialog is open. */
function isForAnother(target: EventTarget | null): boolean {
  return (
    document.querySelector(dialogs) !== null || (target instanceof HTMLElement && target.closest(withOwnKeys) !== null)
  )
}

const isPressable = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('button, a, summary') !== null

export function playerKeyHandler({ player, media, clock }: KeyTargets): (event: KeyboardEvent) => void {
  const isPlaying = () => selectIsPlaying(media.getSnapshot())
  const toggle = () => player.send({ type: isPlaying() ? 'pause.requested' : 'play.requested' })
  const move = (by: number) => {
    const at = clock()
    if (at !== null) player.send({ type: 'moment.requested', at: at + by })
  }
  const skip = (to: 'fragment' | 'annotation', direction: 1 | -1) => {
    const at = clock()
    if (at !== null) player.send({ type: 'skip.requested', to, direction, at })
  }
  const mark = (type: 'selection.inMarked' | 'selection.outMarked') => {
    const at = clock()
    if (at !== null) selectSelection(player.getSnapshot())?.send({ type, at })
  }
  const faster = () => {
    if (!isPlaying()) return player.send({ type: 'play.requested' })
    const rate = fasterForwards(selectRate(media.getSnapshot()))
    player.send({ type: rate < 0 ? 'reverse.requested' : 'speed.chosen', rate })
  }
  const reverse = () =>
    player.send({ type: 'reverse.requested', rate: fasterBackwards(isPlaying() ? selectRate(media.getSnapshot()) : 1) })
  const run: Readonly<Record<keyof typeof playerKeys, (key: string) => void>> = {
    toggle,
    back: () => move(-tenSecondsMs),
    forward: () => move(tenSecondsMs),
    faster,
    reverse,
    stepBack: () => player.send({ type: 'step.requested', direction: -1 }),
    stepForward: () => player.send({ type: 'step.requested', direction: 1 }),
    previousFragment: () => skip('fragment', -1),
    nextFragment: () => skip('fragment', 1),
    previousEvent: () => skip('annotation', -1),
    nextEvent: () => skip('annotation', 1),
    markIn: () => mark('selection.inMarked'),
    markOut: () => mark('selection.outMarked'),
    loop: () => player.send({ type: 'loop.toggled' }),
    bookmark: () => player.send({ type: 'panel.opened', panel: 'bookmark', at: clock() }),
    goLive: () => player.send({ type: 'live.requested' }),
    snapshot: () => player.send({ type: 'snapshot.requested' }),
    speed: (key) => {
      const rate = speeds[Number(key) - 1]
      if (rate !== undefined) player.send({ type: 'speed.chosen', rate })
    },
    mute: () => player.send({ type: 'mute.toggled' }),
    fullScreen: () => player.send({ type: 'fullScreen.toggled' }),
  }
  return (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isForAnother(event.target)) return
    const key = pressedKey(event)
    const command = commandOf(playerKeys, key)
    if (command === undefined || (event.key === ' ' && isPressable(event.target))) return
    if (!event.repeat || repeated.has(command)) run[command](key)
    event.preventDefault()
  }
}
