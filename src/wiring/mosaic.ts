import { createElement } from 'react'
import { type ActorRefFrom, fromPromise } from 'xstate'
import { createScreen } from '../api/media/screen.ts'
import { createStage } from '../api/media/create-stage.ts'
import type { Stage } from '../api/media/stage.ts'
import { keepAwake } from '../api/browser/wake-lock.ts'
import { getMosaic } from '../api/resources/mosaics.ts'
import { mediaMachine, retryPauseMs } from '../machines/player/media.machine.ts'
import { mosaicMachine } from '../machines/mosaics/mosaic.machine.ts'
import { MosaicPage } from '../views/mosaics/MosaicPage.tsx'
import type { MosaicPorts } from '../views/mosaics/ports.ts'
import { definePage } from './page.ts'
import { stageActor } from './stage-actor.ts'
import { visibility } from './visibility.ts'

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

const screen = createScreen()

const ports: MosaicPorts = {
  stageOf,
  attachScreen: screen.attach,
  toggleScreen: () => (document.fullscreenElement === null ? screen.fill() : screen.leave()),
  keepAwake,
}

const logic = mosaicMachine.provide({
  actors: { fetchMosaic: fromPromise(({ input, signal }) => getMosaic(input.id, input, signal)), tile, visibility },
})

export const page = definePage({
  logic,
  View: ({ actor }: { actor: ActorRefFrom<typeof logic> }) => createElement(MosaicPage, { actor, ports }),
})
