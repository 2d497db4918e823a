import { loadShell } from '../../views/app/shell.tsx'
import { loadPage } from '../pages.ts'

/** Loads the code of the page after sign-in. Imported dynamically, as the table of pages imports the sign-in page. */
export const preloadFirstPage = () => Promise.all([loadPage('streams'), loadShell()])
