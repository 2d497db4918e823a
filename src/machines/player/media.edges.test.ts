import { expect, test } from 'vitest'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { archive, input, live } from '../../../tests/machines/media.ts'
import type { MediaEvent } from './media.events.ts'
import { mediaMachine } from './media.machine.ts'

test('every edge of the chart is walked', () => {
  const own = {
    'media.loadRequested': [
      { type: 'media.loadRequested', source: live },
      { type: 'media.loadRequested', source: archive },
    ],
    'media.unloadRequested': [{ type: 'media.unloadRequested' }],
    'media.playRequested': [{ type: 'media.playRequested' }],
    'media.pauseRequested': [{ type: 'media.pauseRequested' }],
    'media.rateChosen': [{ type: 'media.rateChosen', rate: 4 }],
    'media.volumeChosen': [{ type: 'media.volumeChosen', volume: 0.3 }],
    'media.muteToggled': [{ type: 'media.muteToggled' }],
    'media.loopChosen': [{ type: 'media.loopChosen', loop: { from: 1000, to: 2000 } }],
    'engine.startReached': [{ type: 'engine.startReached', at: 1000 }],
    'engine.loopEnded': [{ type: 'engine.loopEnded' }],
    'media.stepRequested': [{ type: 'media.stepRequested', direction: 1 }],
    'media.lossReported': [{ type: 'media.lossReported' }],
    'media.retried': [{ type: 'media.retried' }],
    'engine.loaded': [{ type: 'engine.loaded', from: 1000, to: 9000 }],
    'engine.played': [{ type: 'engine.played' }],
    'engine.paused': [{ type: 'engine.paused' }],
    'engine.stalled': [{ type: 'engine.stalled' }],
    'engine.sought': [{ type: 'engine.sought' }],
    'engine.ended': [{ type: 'engine.ended', at: 9000 }],
    'engine.failed': [
      { type: 'engine.failed', failure: 'network', at: 2000 },
      { type: 'engine.failed', failure: 'codec', at: null },
      { type: 'engine.failed', failure: 'forbidden', at: null },
    ],
    'media.offered': [
      { type: 'media.offered', offer: { renditions: ['main', 'sub', 'compatible'], codec: 'hvc1' } },
      { type: 'media.offered', offer: { renditions: [], codec: 'avc1' } },
    ],
    'media.magnified': [
      { type: 'media.magnified', isMagnified: true },
      { type: 'media.magnified', isMagnified: false },
    ],
    'media.sharedRateChanged': [{ type: 'media.sharedRateChanged', rate: 8 }],
    'picture.resized': [{ type: 'picture.resized', width: 480, viewportWidth: 1920, isFull: false }],
    'engine.silenced': [{ type: 'engine.silenced' }],
    'engine.blocked': [{ type: 'engine.blocked' }],
    'engine.windowMoved': [{ type: 'engine.windowMoved', from: 1, to: 2 }],
    'engine.edgeReached': [{ type: 'engine.edgeReached' }],
  } satisfies { [Type in MediaEvent['type']]: Extract<MediaEvent, { type: Type }>[] }
  const machine = mediaMachine.provide({ guards: { canPlay: (_, { codec }) => codec === 'avc1' } })
  const nothing = () => undefined
  const walked = walkEdges(machine, {
    model: machine.provide({
      actions: {
        notifyRunning: nothing,
        notifyResting: nothing,
        notifyWaiting: nothing,
        notifySettled: nothing,
        notifyLost: nothing,
        notifyEnded: nothing,
        notifyWindow: nothing,
        notifyLoopEnded: nothing,
        notifyStartReached: nothing,
      },
    }),
    input,
    events: [
      ...Object.values(own).flat(),
      { type: 'xstate.after.retryPause.media.interrupted' },
      { type: 'xstate.after.settledAfter.media.ready.running.playing' },
      { type: 'xstate.after.lossAfter.media.ready.running.stalled' },
    ],
    name: ({ value, context: { source, offer, chosen, refused, isMagnified } }) =>
      JSON.stringify([value, source?.kind, offer.codec, chosen.rendition, refused.toSorted(), isMagnified]),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
