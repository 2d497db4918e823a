/**
 * Keeps the beginning of CSS transitions from React Aria, which lists the elements in transition so that a screen
 * reader's focus can wait for them. Of an element that is removed while several of its properties change it hears of
 * the first alone, and keeps it for ever, and with it the whole page that it was in.
 */
export const hushTransitions = (): void =>
  addEventListener('transitionrun', (event) => event.stopPropagation(), { capture: true })
