/** One chunk, so that what plans share with the player isn't shared by three pages, and part of every first screen. */
export { page as plans } from './plans.ts'
export { page as plan } from './plan.ts'
export { page as planEdit } from './plan-edit.ts'
