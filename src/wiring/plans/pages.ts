/**
 * One file of the build for the three pages: with a file each, the code that they share with the player would become
 * part of every first screen.
 */
export { page as plans } from './plans.ts'
export { page as plan } from './plan.ts'
export { page as planEdit } from './plan-edit.ts'
