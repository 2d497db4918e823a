import { callSections } from './calls.ts'
import { constantSections } from './constants.ts'
import { messageSections } from './messages.ts'
import type { Section } from './row.ts'
import { screenSections } from './screens.ts'

/**
 * The rows of docs/behaviour.md §3, §14, §15; docs/wire.md §5, each with the tests that prove it. docs/coverage.md is
 * generated from them.
 */
export const specification: readonly Section[] = [
  ...screenSections,
  ...callSections,
  ...messageSections,
  ...constantSections,
]
