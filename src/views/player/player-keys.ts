import { selectIsPlaying, selectRate, selectSelection, type MediaRef, type PlayerRef } from '../../machines/player/player.selectors.ts'
import { speeds } from '../../machines/player/speeds.ts'

const ten = 10_000

interface Keys {
  player: PlayerRef
  media: MediaRef
  clock: () => number | null
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, select, textarea, [role="slider"], [role="menu"], [role="dialog"], [role="grid"]') !== null
}

const isPressable = (target: EventTarget | null) => target instanceof HTMLElement && target.closest('button, a, summary') !== null

/** The keys of a player, while it has the focus (issue 3): space, arrows, J K L, `,` `.`, brackets, I O R, M, F, digits for the speeds. */
export function playerKeys({ player, media, clock }: Keys): (event: KeyboardEvent) => void {
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
    const rate = selectRate(media.getSnapshot())
    if (!isPlaying()) return player.send({ type: 'play.requested' })
    player.send({ type: 'speed.chosen', rate: speeds.find((speed) => speed > rate) ?? rate })
  }
  const actions: Readonly<Record<string, () => void>> = {
    k: toggle,
    j: () => move(-ten),
    l: faster,
    arrowleft: () => move(-ten),
    arrowright: () => move(ten),
    ',': () => player.send({ type: 'step.requested', direction: -1 }),
    '.': () => player.send({ type: 'step.requested', direction: 1 }),
    '[': () => skip('fragment', -1),
    ']': () => skip('fragment', 1),
    '{': () => skip('annotation', -1),
    '}': () => skip('annotation', 1),
    i: () => mark('selection.inMarked'),
    o: () => mark('selection.outMarked'),
    r: () => player.send({ type: 'loop.toggled' }),
    b: () => player.send({ type: 'panel.opened', panel: 'bookmark', at: clock() }),
    m: () => player.send({ type: 'mute.toggled' }),
    f: () => player.send({ type: 'fullScreen.toggled' }),
  }
  return (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    const key = event.key.toLowerCase()
    const speed = /^[1-7]$/.test(key) ? speeds[Number(key) - 1] : undefined
    const action = Object.hasOwn(actions, key) ? actions[key] : undefined
    if (key === ' ' && !isPressable(event.target)) toggle()
    else if (speed !== undefined) player.send({ type: 'speed.chosen', rate: speed })
    else if (action !== undefined) action()
    else return
    event.preventDefault()
  }
}
