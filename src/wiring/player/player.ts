import { createElement } from 'react'
import { type EventObject, fromCallback, fromPromise } from 'xstate'
import { keepGuest, readGuest } from '../../api/browser/share-token.ts'
import { setGuest } from '../../api/call.ts'
import { whenIdle, whenPainted } from '../../api/browser/idle.ts'
import { readStored, writeStored } from '../../api/browser/storage.ts'
import { saveFile } from '../../api/media/files.ts'
import { createFullScreen } from '../../api/media/full-screen.ts'
import { unlockShare } from '../../api/resources/stream.ts'
import { serverNow } from '../../api/server-time.ts'
import { withMessages } from '../../i18n/i18n.ts'
import { clipMachine } from '../../machines/player/clip.machine.ts'
import { localText } from '../../machines/player/local-text.ts'
import type { Sound } from '../../machines/player/media.events.ts'
import { playerPageMachine, unlockFormMachine } from '../../machines/player/page.machine.ts'
import type { ScreenCommand } from '../../machines/player/player.actors.ts'
import type { PlayerEvent } from '../../machines/player/player.events.ts'
import { playerMachine } from '../../machines/player/player.machine.ts'
import { type Measured, selectionMachine } from '../../machines/player/selection.machine.ts'
import { ensureTemporal } from '../../machines/temporal.ts'
import { PlayerPage } from '../../views/player/PlayerPage.tsx'
import type { PlayerPorts } from '../../views/player/ports.ts'
import { capabilities } from './capabilities.ts'
import { createUrlSync } from './url-sync.ts'
import { bookmarkDraft, loadStores } from '../bookmarks/bookmark-draft.ts'
import type { MeasureInput } from './measure.ts'
import { createTimelineLists } from './timeline-lists.ts'
import { definePage } from '../page.ts'
import { loadPart } from '../shared/load-part.ts'
import { mediaOf } from './media.ts'
import { mediaController } from './media-controller.ts'
import { stream } from '../stream/stream.ts'
import { stills, thumbnails } from './thumbnails.ts'
import { timeline } from './timeline.ts'
import { waitingPicture } from './waiting-picture.ts'
import { storeZoneChoice, readZoneChoice, browserZone } from '../shared/zone.ts'

const controller = mediaController()
const screen = createFullScreen(capabilities.fullScreen)
const soundKey = 'player-sound'
const urlSync = createUrlSync()
const timelineLists = createTimelineLists()

function readSound(): Sound {
  const stored = readStored('local', soundKey)
  const volume = typeof stored === 'object' && stored !== null && 'volume' in stored ? Number(stored.volume) : 1
  const isMuted = typeof stored === 'object' && stored !== null && 'isMuted' in stored && stored.isMuted === true
  return { volume: volume >= 0 && volume <= 1 ? volume : 1, isMuted }
}

const measure = fromPromise<Measured, MeasureInput>(async ({ input, signal }) => {
  const { measureRange } = await import('./measure.ts')
  return measureRange(input, signal)
})

const clock = fromCallback<PlayerEvent>(({ sendBack }) => {
  const tick = () => sendBack({ type: 'clock.ticked', now: Date.now(), playhead: controller.positionAt() })
  const timer = setInterval(tick, 1000)
  tick()
  return () => clearInterval(timer)
})

const player = playerMachine.provide({
  actors: {
    media: mediaOf(() => controller).provide({
      actions: { storeSound: (_, { sound }) => writeStored('local', soundKey, sound) },
    }),
    timeline,
    bookmark: bookmarkDraft,
    waitingPicture,
    selection: selectionMachine.provide({ actors: { measure } }),
    clip: clipMachine.provide({ actors: { measure } }),
    clock,
    screen: fromCallback<ScreenCommand>(({ receive, sendBack }) => {
      receive(({ type }) => (type === 'screen.fill' ? screen.enter() : screen.exit()))
      return screen.listen((isFull) => sendBack({ type: isFull ? 'screen.filled' : 'screen.left' }))
    }),
    takeSnapshot: fromPromise(async ({ input }) => {
      const at = controller.positionAt()
      const picture = await controller.snapshot()
      if (picture === null || at === null) throw new Error('no frame on the screen')
      saveFile(picture, `${input.name} ${localText(at, input.zone)}.${String(at % 1000).padStart(3, '0')}.png`)
      return undefined
    }),
  },
  /** In a microtask: an action must not send to the root machine while this machine is in transition. */
  actions: {
    writeAddress: ({ system }, { address, change }) => queueMicrotask(() => urlSync.update(system, address, change)),
    storeZone: (_, { choice }) => storeZoneChoice(choice),
    requestClip: ({ system }, { clip }) =>
      void loadPart(
        system,
        async () => (await import('../shell/clips.ts')).requestClip,
        (request) => request(system, clip),
      ),
  },
})

const ports: PlayerPorts = {
  controller,
  serverNow,
  capabilities,
  attachScreen: screen.attach,
  loadMotion: (page) =>
    void loadPart(
      page.system,
      () => withMessages(import('../motion/motion.ts')),
      ({ motion }) => page.send({ type: 'motion.loaded', logic: motion }),
    ),
  stills,
}

const loadTools = fromCallback<EventObject, { isNeeded: boolean }>(({ input: { isNeeded }, sendBack }) => {
  const load = async () => {
    await whenPainted()
    const { locks, exportDraft, maxExportItems, ptz } = await import('./tools.ts')
    sendBack({ type: 'tools.loaded', locks, exportDraft, maxExportItems, ptz })
  }
  if (isNeeded) void load().catch(() => null)
})

const unlock = unlockFormMachine.provide({
  actors: {
    submit: fromPromise(async ({ input: { values }, signal }) => {
      const { uid, password } = values
      const reply = await unlockShare(uid, { token: readGuest()?.token ?? '', password }, signal)
      if (reply.ok) {
        const guest = { uid, token: reply.value.token }
        keepGuest(guest)
        setGuest(guest)
      }
      return reply
    }),
  },
})

export const page = definePage({
  logic: playerPageMachine.provide({
    actors: {
      loadTools,
      thumbnails,
      timelineLists: timelineLists.machine,
      stream,
      unlock,
      player,
      readEnvironment: fromPromise(async ({ system }) => {
        await ensureTemporal()
        whenIdle(() => void loadStores().catch(() => null))
        return {
          now: Date.now(),
          zone: browserZone(),
          zoneChoice: readZoneChoice(),
          sound: readSound(),
          timelineLists: timelineLists.read(system),
        }
      }),
    },
  }),
  View: ({ actor }) => createElement(PlayerPage, { actor, ports }),
})
