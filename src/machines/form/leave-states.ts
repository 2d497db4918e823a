/**
 * The states of unsaved work while its machine invokes `watchLeaving`: leaving the page asks first, once for all of its
 * forms. `grantLeave`: sends `leave.granted` to `watchLeaving`.
 */
export const leaveStates = {
  watching: { on: { 'leave.attempted': 'confirming', 'leave.confirmed': 'granted' } },
  confirming: { on: { 'leave.cancelled': 'watching', 'leave.confirmed': 'granted' } },
  granted: { entry: 'grantLeave' },
} as const

export type LeaveEvent = { type: 'leave.attempted' } | { type: 'leave.confirmed' } | { type: 'leave.cancelled' }
