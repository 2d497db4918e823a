import { readyEvent } from './ready.ts'

/**
 * Shows the sign-in page before the console's code is there (docs/decisions.md, Console). A file of its own, which the
 * document runs before it has a body. The server adds it only where nobody is signed in (server/http/entrance.ts).
 */
const given = document.currentScript?.dataset
const entry = given?.['entry'] ?? ''
const preset = given?.['language'] ?? ''

function stored(key: string): string {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '""')
    return typeof value === 'string' ? value : ''
  } catch {
    return ''
  }
}

const theme = stored('theme')
const isLight = matchMedia('(prefers-color-scheme: light)').matches
document.documentElement.dataset['theme'] = theme === 'light' || theme === 'dark' ? theme : isLight ? 'light' : 'dark'

/** By the rules of src/wiring/shell/appearance.ts: what was chosen here, the deployment's, the browser's own. */
function pageIn(templates: readonly HTMLTemplateElement[]): HTMLTemplateElement | undefined {
  const wanted = [stored('language'), preset, ...navigator.languages, 'en'].map(
    (tag) => tag.toLowerCase().split(/[-_]/)[0],
  )
  return wanted.map((code) => templates.find(({ lang }) => lang === code)).find((one) => one !== undefined)
}

/** What was pressed before the console could answer: it gets the presses in their order, a submit once and last. */
function holdPresses(root: HTMLElement): void {
  const pressed: HTMLElement[] = []
  let isSubmitted = false
  const hold = (event: Event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    if (event.type === 'submit') {
      isSubmitted = true
      root.querySelector('[type="submit"]')?.setAttribute('aria-busy', 'true')
    } else if (button?.type === 'button') pressed.push(button)
    else return
    event.preventDefault()
  }
  const release = (event: Event) => {
    root.removeEventListener('click', hold)
    root.removeEventListener('submit', hold)
    for (const button of pressed) if (button.isConnected) button.click()
    const isSignIn = event instanceof CustomEvent && event.detail === true
    if (isSubmitted && isSignIn) root.querySelector('form')?.requestSubmit()
  }
  root.addEventListener('click', hold)
  root.addEventListener('submit', hold)
  root.addEventListener(readyEvent, release, { once: true })
}

/**
 * The console's code would hold back the first paint: it is fetched meanwhile, and run after it. If it doesn't come,
 * the next submit loads the page again.
 */
function startConsole(): void {
  const reload = () => document.addEventListener('submit', () => location.reload())
  const start = () => void import(/* @vite-ignore */ entry).catch(reload)
  if (document.visibilityState === 'hidden') start()
  else requestAnimationFrame(() => setTimeout(start))
}

const progress = { isStarted: false }

function show(): void {
  const root = document.querySelector<HTMLElement>('#root')
  const templates = [...document.querySelectorAll<HTMLTemplateElement>('template[lang]')]
  const page = pageIn(templates)
  if (root !== null && page !== undefined) {
    document.documentElement.lang = page.lang
    root.dataset['language'] = page.lang
    root.append(page.content)
    holdPresses(root)
    root.querySelector('input')?.focus()
  }
  for (const one of templates) one.remove()
  if (!progress.isStarted) startConsole()
  progress.isStarted = true
}

/** The templates come before the root: with it all is there, before the scripts that the whole document waits for. */
const parsing = new MutationObserver(() => {
  if (document.querySelector('#root') === null) return
  parsing.disconnect()
  show()
})

/** Else public/browser-check.js shows which browser is needed, a moment later; the console would cover that. */
if ('union' in Set.prototype && 'any' in AbortSignal) {
  parsing.observe(document, { childList: true, subtree: true })
  document.addEventListener('DOMContentLoaded', show)
}
