import { createElement } from 'react'
import { type ActorRefFrom, fromPromise } from 'xstate'
import { createScreen } from '../api/media/screen.ts'
import { createStage } from '../api/media/create-stage.ts'
import type { Stage } from '../api/media/stage.ts'
import { keepAwake } from '../api/browser/wake-lock.ts'
import { getMosaic } from '../api/resources/mosaics.ts'
import { liveAddress } from '../machines/player/address.ts'
import { mediaMachine, retryPauseMs } from '../machines/player/media.machine.ts'
import { mosaicMachine } from '../machines/mosaics/mosaic.machine.ts'
import { ensureTemporal } from '../machines/temporal.ts'
import { MosaicPage } from '../views/mosaics/MosaicPage.tsx'
import type { MosaicPorts } from '../views/mosaics/ports.ts'
import { abilities } from './abilities.ts'
import { createAddressKeeper } from './address-keeper.ts'
import { createConductor } from './conductor.ts'
import { definePage } from './page.ts'
import { stageActor } from './stage-actor.ts'
import { visibility } from './visibility.ts'
import { zoneShown } from './zone.ts'

/** One stage a tile, for as long as the tile's player lives. */
const stages = new WeakMap<object, Stage>()

function stageOf(tile: object): Stage {
  const known = stages.get(tile)
  if (known !== undefined) return known
  const stage = createStage()
  stages.set(tile, stage)
  return stage
}

const tile = mediaMachine.provide({
  actors: { stage: stageActor(stageOf) },
  delays: { retryPause: ({ context }) => retryPauseMs(context.attempts) * (0.75 + Math.random() / 2) },
})

/** Of many pictures none fills the screen for all. */
const canFillScreen = abilities.fillsScreen === 'element'
const screen = createScreen(canFillScreen ? 'element' : 'none')
const addressKeeper = createAddressKeeper()
const { conductor, clock } = createConductor(stageOf, addressKeeper)

const ports: MosaicPorts = {
  stageOf,
  clock,
  attachScreen: screen.attach,
  canFillScreen,
  toggleScreen: () => (document.fullscreenElement === null ? screen.fill() : screen.leave()),
  keepAwake,
}

const logic = mosaicMachine.provide({
  actors: {
    fetchMosaic: fromPromise(({ input, signal }) => getMosaic(input.id, input, signal)),
    tile,
    conductor,
    readSurroundings: fromPromise(async ({ input }) => {
      await ensureTemporal()
      return { now: Date.now(), zone: zoneShown(input.timezone) }
    }),
    visibility,
  },
  actions: { leaveArchive: () => queueMicrotask(() => addressKeeper.keep(liveAddress, 'arrived')) },
})

export const page = definePage({
  logic,
  View: ({ actor }: { actor: ActorRefFrom<typeof logic> }) => createElement(MosaicPage, { actor, ports }),
})
