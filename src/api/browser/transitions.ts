/**
 * Hides transition events from React Aria, which otherwise keeps an element that is removed during several transitions,
 * and with it the page, in memory.
 */
export const stopTransitionEvents = (): void =>
  addEventListener('transitionrun', (event) => event.stopPropagation(), { capture: true })
