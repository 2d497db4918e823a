import { type AnyActorRef, fromCallback } from 'xstate'
import { currentAddress, watchLocation } from '../../api/browser/location.ts'
import type { LocationCommand } from '../../machines/app/location.events.ts'

/** Reads, writes and watches the browser's address. Reports each change to the root machine once, whoever made it. */
export const location = fromCallback<LocationCommand>(({ sendBack, receive }) => {
  const blockers = new Set<AnyActorRef>()
  const granted = new Set<AnyActorRef>()
  /** The navigation that waits for the form's permission. */
  let postponed = () => {}
  const report = (isOfPage: boolean) => sendBack({ type: 'location.changed', address: currentAddress(), isOfPage })
  /** Whether a form blocks leaving the page; if so, `proceed` waits for `leave.granted`. */
  function block(proceed: () => void): boolean {
    const [first] = blockers
    if (first === undefined) return false
    postponed = proceed
    first.send({ type: 'leave.attempted' })
    return true
  }
  /** The question was about the whole page: its other forms grant without asking, too. */
  function grantNext(): void {
    const [next] = blockers
    if (next === undefined) postponed()
    else next.send({ type: 'leave.confirmed' })
  }
  const leave = (proceed: () => void) => block(proceed) || proceed()
  const { write, close } = watchLocation({ onChange: () => report(false), block })
  receive((command) => {
    switch (command.type) {
      case 'location.written': {
        const go = () => {
          write(command.href, { replace: command.replace || isHere(command.href) })
          report(command.isOfPage === true)
        }
        return command.replace || isOnThisPage(command.href) ? go() : leave(go)
      }
      case 'location.held':
        return blockers.add(command.by)
      case 'location.released':
        granted.delete(command.by)
        return blockers.delete(command.by)
      case 'leave.granted':
        blockers.delete(command.by)
        granted.add(command.by)
        return grantNext()
      case 'leave.failed':
        return [...granted].forEach((form) => form.send({ type: 'leave.cancelled' }))
      case 'leave.requested':
        return leave(() => sendBack({ type: 'session.closeGranted' }))
    }
  })
  return close
})

/** A link to the present address adds no history entry, as in a browser. */
function isHere(href: string): boolean {
  const { pathname, search, hash } = currentAddress()
  return href === pathname + search + hash
}

const isOnThisPage = (href: string) => new URL(href, globalThis.location.origin).pathname === currentAddress().pathname
