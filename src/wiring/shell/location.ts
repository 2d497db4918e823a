import { type AnyActorRef, fromCallback } from 'xstate'
import { currentAddress, watchLocation } from '../../api/browser/location.ts'
import type { LocationCommand } from '../../machines/app/location.events.ts'

/** The browser's address. Every change is reported to the root once, whoever made it. */
export const location = fromCallback<LocationCommand>(({ sendBack, receive }) => {
  const holders = new Set<AnyActorRef>()
  let held = () => {}
  const report = (isOfPage: boolean) => sendBack({ type: 'location.changed', address: currentAddress(), isOfPage })
  function hold(proceed: () => void): boolean {
    const [first] = holders
    if (first === undefined) return false
    held = proceed
    first.send({ type: 'leave.attempted' })
    return true
  }
  const leave = (proceed: () => void) => hold(proceed) || proceed()
  const { write, close } = watchLocation({ onChange: () => report(false), hold })
  receive((command) => {
    switch (command.type) {
      case 'location.written': {
        const go = () => {
          write(command.href, command)
          report(command.isOfPage === true)
        }
        return command.replace || isOnThisPage(command.href) ? go() : leave(go)
      }
      case 'location.held':
        return holders.add(command.by)
      case 'location.released':
        return holders.delete(command.by)
      case 'leave.granted':
        holders.delete(command.by)
        return leave(held)
      case 'leave.requested':
        return leave(() => sendBack({ type: 'session.closeGranted' }))
    }
  })
  return close
})

const isOnThisPage = (href: string) => new URL(href, globalThis.location.origin).pathname === currentAddress().pathname
