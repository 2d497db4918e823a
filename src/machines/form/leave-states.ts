/**
 * The states of unsaved work while its machine invokes `watchLeaving`: leaving the page asks first. `grantLeave`: sends
 * `leave.granted` to `watchLeaving`.
 */
export const leaveStates = {
  watching: { on: { 'leave.attempted': 'confirming' } },
  confirming: { on: { 'leave.cancelled': 'watching', 'leave.confirmed': 'granted' } },
  granted: { entry: 'grantLeave' },
} as const

export type LeaveEvent = { type: 'leave.attempted' } | { type: 'leave.confirmed' } | { type: 'leave.cancelled' }
