import { loadShell } from '../views/app/shell.tsx'
import { loadPage } from './pages.ts'

/** Fetches what most likely comes after signing in. A chunk of its own, so that the sign-in page doesn't carry the names of all that it takes. */
export const fetchAhead = () => Promise.all([loadPage('streams'), loadShell()])
