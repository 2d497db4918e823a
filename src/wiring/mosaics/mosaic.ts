import { createElement } from 'react'
import { type ActorRefFrom, fromPromise } from 'xstate'
import { createFullScreen } from '../../api/media/full-screen.ts'
import { createLiveGroup } from '../../api/media/live/live-group.ts'
import type { MediaController } from '../../api/media/controller/media-controller.ts'
import { createAlarmSound } from '../../api/browser/alarm-sound.ts'
import { keepAwake } from '../../api/browser/wake-lock.ts'
import { saveFile } from '../../api/media/files.ts'
import { pngOfShown } from '../../api/media/frames/picture.ts'
import { localText } from '../../machines/player/local-text.ts'
import { getMosaic } from '../../api/resources/mosaics.ts'
import { serverNow } from '../../api/server-time.ts'
import { withMessages } from '../../i18n/i18n.ts'
import { liveAddress } from '../../machines/player/address.ts'
import { mosaicMachine } from '../../machines/mosaics/mosaic.machine.ts'
import { ensureTemporal } from '../../machines/temporal.ts'
import { MosaicPage } from '../../views/mosaics/MosaicPage.tsx'
import type { MosaicPorts } from '../../views/mosaics/ports.ts'
import { capabilities } from '../player/capabilities.ts'
import { createUrlSync } from '../player/url-sync.ts'
import { alarmOf } from './alarm.ts'
import { createSyncPlayback } from './sync-playback.ts'
import { definePage } from '../page.ts'
import { mediaOf } from '../player/media.ts'
import { mediaController } from '../player/media-controller.ts'
import { poll } from '../shared/poll.ts'
import { loadPart, raiseFailure } from '../shared/load-part.ts'
import { visibility } from '../shared/visibility.ts'
import { zoneShown } from '../shared/zone.ts'

/** The media controller of each tile, for as long as the tile's machine exists. */
const controllers = new WeakMap<object, MediaController>()

const liveGroup = createLiveGroup(() => performance.now())

function controllerOf(tile: object): MediaController {
  const known = controllers.get(tile)
  if (known !== undefined) return known
  const controller = mediaController(liveGroup)
  controllers.set(tile, controller)
  return controller
}

const tile = mediaOf(controllerOf)

/** Some browsers can show only a single `<video>` in full screen, so not a mosaic. */
const canFillScreen = capabilities.fullScreen === 'element'
const screen = createFullScreen(canFillScreen ? 'element' : 'none')
const urlSync = createUrlSync()
const { syncPlayback, clock } = createSyncPlayback(controllerOf, urlSync)

type Named = Parameters<MosaicPorts['takeSnapshot']>[2]

async function saveShown(part: HTMLElement, { name, zone, at }: Named): Promise<void> {
  const moment = at ?? Date.now()
  const [picture] = await Promise.all([pngOfShown(part), ensureTemporal()])
  if (picture === null) throw new Error('no picture on the screen')
  saveFile(picture, `${name} ${localText(moment, zone)}.png`)
}

const ports: MosaicPorts = {
  controllerOf,
  serverNow,
  clock,
  attachScreen: screen.attach,
  canFillScreen,
  toggleScreen: () => (document.fullscreenElement === null ? screen.enter() : screen.exit()),
  keepAwake,
  zoneOf: zoneShown,
  openExport: (page, range, zone) =>
    void loadPart(
      page.system,
      () => withMessages(import('../exports/mosaic-export.ts')),
      ({ mosaicExport, maxItems }) =>
        page.send({ type: 'export.loaded', logic: mosaicExport, range, now: serverNow(), zone, maxItems }),
    ),
  openLock: (page, range) =>
    void loadPart(
      page.system,
      () => withMessages(import('../locks/mosaic-lock.ts')),
      ({ mosaicLock }) => page.send({ type: 'lock.loaded', logic: mosaicLock, range }),
    ),
  takeSnapshot: ({ system }, part, named) =>
    void saveShown(part, named).catch(() => raiseFailure(system, 'SnapshotFailed')),
}

const logic = mosaicMachine.provide({
  actors: {
    fetchMosaic: fromPromise(({ input, signal }) => getMosaic(input.id, input, signal)),
    poll,
    tile,
    syncPlayback,
    alarm: alarmOf(createAlarmSound()),
    readEnvironment: fromPromise(async ({ input }) => {
      await ensureTemporal()
      return { now: Date.now(), zone: zoneShown(input.timezone) }
    }),
    visibility,
  },
  actions: { leaveArchive: ({ system }) => queueMicrotask(() => urlSync.update(system, liveAddress, 'arrived')) },
})

export const page = definePage({
  logic,
  View: ({ actor }: { actor: ActorRefFrom<typeof logic> }) => createElement(MosaicPage, { actor, ports }),
})
