import { loadShell } from '../../views/app/shell.tsx'
import { loadPage } from '../pages.ts'

/** Imported by the sign-in page when it is needed: the table of pages, which this takes, names that page itself. */
export const fetchAhead = () => Promise.all([loadPage('streams'), loadShell()])
