import { readyEvent } from './ready.ts'

/**
 * Shows the sign-in page before the console's code is loaded (docs/decisions.md, Console). A script of its own in the
 * document's head, which the server adds only where nobody is signed in (server/http/entrance.ts).
 */
const parameters = document.currentScript?.dataset
const entry = parameters?.['entry'] ?? ''
const deploymentLanguage = parameters?.['language'] ?? ''

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

/** The template of the first available language by the rules of src/wiring/shell/appearance.ts. */
function templateIn(templates: readonly HTMLTemplateElement[]): HTMLTemplateElement | undefined {
  const languages = [stored('language'), deploymentLanguage, ...navigator.languages, 'en'].map(
    (tag) => tag.toLowerCase().split(/[-_]/)[0],
  )
  return languages.map((code) => templates.find(({ lang }) => lang === code)).find((one) => one !== undefined)
}

/**
 * Keeps presses of buttons and a submit until the console takes the page over. Then repeats the presses in their order,
 * and submits once, last.
 */
function keepPresses(root: HTMLElement): void {
  const pressed: HTMLElement[] = []
  let isSubmitted = false
  const keep = (event: Event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    if (event.type === 'submit') {
      isSubmitted = true
      root.querySelector('[type="submit"]')?.setAttribute('aria-busy', 'true')
    } else if (button?.type === 'button') pressed.push(button)
    else return
    event.preventDefault()
  }
  const repeat = (event: Event) => {
    root.removeEventListener('click', keep)
    root.removeEventListener('submit', keep)
    for (const button of pressed) if (button.isConnected) button.click()
    const isSignIn = event instanceof CustomEvent && event.detail === true
    if (isSubmitted && isSignIn) root.querySelector('form')?.requestSubmit()
  }
  root.addEventListener('click', keep)
  root.addEventListener('submit', keep)
  root.addEventListener(readyEvent, repeat, { once: true })
}

/**
 * Runs the console's code after the first paint, which it would delay. If the code can't be loaded, a submit reloads
 * the page: one that waits already, or the next one.
 */
function startConsole(): void {
  const reload = () => {
    if (document.querySelector('#root [aria-busy]') !== null) location.reload()
    document.addEventListener('submit', () => location.reload())
  }
  const start = () => void import(/* @vite-ignore */ entry).catch(reload)
  if (document.visibilityState === 'hidden') start()
  else requestAnimationFrame(() => setTimeout(start))
}

const progress = { isStarted: false }

function show(): void {
  const root = document.querySelector<HTMLElement>('#root')
  const templates = [...document.querySelectorAll<HTMLTemplateElement>('template[lang]')]
  const template = templateIn(templates)
  if (root !== null && template !== undefined) {
    document.documentElement.lang = template.lang
    root.dataset['language'] = template.lang
    root.append(template.content)
    keepPresses(root)
    root.querySelector('input')?.focus()
  }
  for (const one of templates) one.remove()
  if (!progress.isStarted) startConsole()
  progress.isStarted = true
}

/**
 * The templates precede the root in the document, so the page can be shown once the root is parsed, before the scripts
 * after it are loaded.
 */
const parsing = new MutationObserver(() => {
  if (document.querySelector('#root') === null) return
  parsing.disconnect()
  show()
})

/** An older browser gets the notice of public/browser-check.js, which a console that started first would replace. */
if ('union' in Set.prototype && 'any' in AbortSignal) {
  parsing.observe(document, { childList: true, subtree: true })
  document.addEventListener('DOMContentLoaded', show)
}
