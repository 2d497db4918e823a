import type { Page } from 'playwright/test'

/** What a browser's console reports of a request that was refused or failed. */
export const failedRequests = /^Failed to load resource/
const noProblems = /^(?!)/

/** Errors of a page, and errors and warnings of its console from here on, with addresses; not what is `expected`. */
export function problemsOf(page: Page, expected = noProblems): string[] {
  const problems: string[] = []
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('console', (message) => {
    const problem = `${message.text()} ${message.location().url}`
    if (['error', 'warning'].includes(message.type()) && !expected.test(problem)) problems.push(problem)
  })
  return problems
}
