/**
 * Works around React Aria, which keeps an element, and so the whole page, in memory when it is removed during several
 * transitions.
 */
export const stopTransitionEvents = (): void =>
  addEventListener('transitionrun', (event) => event.stopPropagation(), { capture: true })
