import { pollMachine } from '../../machines/polling/poll.machine.ts'
import { visibility } from './visibility.ts'

export const poll = pollMachine.provide({ actors: { visibility } })
