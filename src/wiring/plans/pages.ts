/** One file of the build: code that three of them share with the player would become part of every first screen. */
export { page as plans } from './plans.ts'
export { page as plan } from './plan.ts'
export { page as planEdit } from './plan-edit.ts'
