/**
 * The states of unsaved work while its machine invokes `watchLeaving`: leaving the page asks first, once for all of its
 * forms. `grantLeave`: sends `leave.granted` to `watchLeaving`.
 */
const leaveStates = {
  watching: { on: { 'leave.attempted': 'confirming', 'leave.confirmed': 'granted' } },
  confirming: { on: { 'leave.cancelled': 'watching', 'leave.confirmed': 'granted' } },
  granted: { entry: 'grantLeave' },
} as const

/**
 * The region that guards unsaved work against leaving the page. `on`: what begins anew once leaving was confirmed but
 * has failed, as signing out may; the guards are those of the machine.
 */
export const leavingRegion = <const Dirty extends string, const Clean extends string, On extends object>(
  isDirty: Dirty,
  isClean: Clean,
  on: On,
) =>
  ({
    initial: 'free',
    states: {
      free: { always: { guard: isDirty, target: 'held' } },
      held: {
        invoke: { id: 'watchLeaving', src: 'watchLeaving' },
        always: { guard: isClean, target: 'free' },
        initial: 'watching',
        states: { ...leaveStates, granted: { ...leaveStates.granted, on } },
      },
    },
  }) as const

export type LeaveEvent = { type: 'leave.attempted' } | { type: 'leave.confirmed' } | { type: 'leave.cancelled' }
