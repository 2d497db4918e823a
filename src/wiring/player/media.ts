import { fromCallback } from 'xstate'
import type { MediaController } from '../../api/media/controller/media-controller.ts'
import { canPlay, isPlayable } from '../../api/media/engine/codecs.ts'
import type { ControllerCommand } from '../../machines/player/media.events.ts'
import { retryPauseMs } from '../../machines/player/media.failure.ts'
import { mediaMachine } from '../../machines/player/media.machine.ts'

/** The machine that invokes the actor owns the controller and gets its reports. */
const mediaControllerActor = (controllerOf: (owner: object) => MediaController) =>
  fromCallback<ControllerCommand>(({ receive, sendBack, self }) => {
    const controller = controllerOf(self._parent ?? self)
    receive((command) => {
      switch (command.type) {
        case 'controller.load':
          return controller.load(command.source, command)
        case 'controller.change':
          return controller.change(command.source, command)
        case 'controller.unload':
          return controller.unload()
        case 'controller.play':
          return controller.play()
        case 'controller.pause':
          return controller.pause()
        case 'controller.setRate':
          return controller.setRate(command.rate)
        case 'controller.setSound':
          return controller.setSound(command)
        case 'controller.setLoop':
          return controller.setLoop(command.loop)
        case 'controller.seek':
          return controller.seek(command.at)
        case 'controller.step':
          return controller.step(command.direction)
      }
    })
    const stop = controller.listen(sendBack)
    return () => {
      stop()
      controller.unload()
    }
  })

/** The media machine with the media controller of its owner. Pauses before retries vary at random by a quarter. */
export const mediaOf = (controllerOf: (owner: object) => MediaController) =>
  mediaMachine.provide({
    actors: { controller: mediaControllerActor(controllerOf) },
    guards: { canPlay: (_, { codec }) => isPlayable(codec, canPlay) },
    delays: {
      retryPause: ({ context }) => retryPauseMs(context.attempts, context.retryAfterSeconds, 0.75 + Math.random() / 2),
    },
  })
