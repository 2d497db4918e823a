import { fromCallback } from 'xstate'
import type { Stage } from '../api/media/stage.ts'
import type { StageCommand } from '../machines/player/media.events.ts'

/** A stage as an actor: it takes commands, and sends its reports to the machine that invoked it, its owner. */
export const stageActor = (stageOf: (owner: object) => Stage) =>
  fromCallback<StageCommand>(({ receive, sendBack, self }) => {
    const stage = stageOf(self._parent ?? self)
    receive((command) => {
      switch (command.type) {
        case 'stage.load':
          return stage.load(command.source, command)
        case 'stage.unload':
          return stage.unload()
        case 'stage.play':
          return stage.play()
        case 'stage.pause':
          return stage.pause()
        case 'stage.setRate':
          return stage.setRate(command.rate)
        case 'stage.setSound':
          return stage.setSound(command)
        case 'stage.setLoop':
          return stage.setLoop(command.loop)
        case 'stage.seek':
          return stage.seek(command.at)
        case 'stage.step':
          return stage.step(command.direction)
      }
    })
    const stop = stage.listen(sendBack)
    return () => {
      stop()
      stage.unload()
    }
  })
