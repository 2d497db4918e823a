import { pollMachine } from '../../machines/polling/poll.machine.ts'
import { visibility } from './visibility.ts'

/** A poll that rests while the browser hides the page. */
export const poll = pollMachine.provide({ actors: { visibility } })
