import { loadShell } from '../../views/app/shell.tsx'
import { loadPage } from '../pages.ts'

/**
 * Fetches what most likely comes after signing in. The sign-in page imports it when it is needed: the table of pages,
 * which this takes, names that page itself.
 */
export const fetchAhead = () => Promise.all([loadPage('streams'), loadShell()])
