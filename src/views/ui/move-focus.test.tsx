// @vitest-environment jsdom
import { type ReactNode, useState } from 'react'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { patience } from '../../../tests/fixtures/patience.ts'
import { Button } from './Button.tsx'
import { IconButton } from './IconButton.tsx'

afterEach(() => {
  vi.restoreAllMocks()
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  cleanup()
})

function OnePress({ button, after }: { button: (onPress: () => void) => ReactNode; after?: ReactNode }) {
  const [isPressed, setIsPressed] = useState(false)
  return isPressed ? after : button(() => setIsPressed(true))
}

const { matches } = Element.prototype

/** `isByKey`: whether the browser shows the focus, as it does after a press by a key. */
const press = (name: string, isByKey = true) => {
  const button = screen.getByRole('button', { name })
  vi.spyOn(button, 'matches').mockImplementation((selector) =>
    selector === ':focus-visible' ? isByKey : matches.call(button, selector),
  )
  act(() => button.focus())
  fireEvent.click(button)
}
const nameOf = (element: Element | null) => element?.textContent || element?.getAttribute('aria-label')
/** Whether the focus is on the element with this name, or gets there. */
const hasFocus = (name: string) => vi.waitUntil(() => nameOf(document.activeElement) === name, patience)

test('a button that its press removes hands its focus to the next control, else to the one before', async () => {
  render(
    <main tabIndex={-1}>
      <section>
        <Button>Earlier</Button>
        <OnePress button={(onPress) => <IconButton label="Discard" icon={null} onPress={onPress} />} />
        <OnePress button={(onPress) => <Button onClick={onPress}>Retry</Button>} />
      </section>
      <Button>Elsewhere</Button>
    </main>,
  )
  press('Discard')
  expect(await hasFocus('Retry')).toBe(true)
  press('Retry')
  expect(await hasFocus('Earlier')).toBe(true)
})

test('what took its place gets the focus where nothing else can, and the page where nothing is left', async () => {
  render(
    <>
      <main tabIndex={-1}>Page</main>
      <section>
        <OnePress
          button={(onPress) => <IconButton label="Collapse" icon={null} onPress={onPress} />}
          after={<OnePress button={(onPress) => <Button onClick={onPress}>Expand</Button>} />}
        />
      </section>
    </>,
  )
  press('Collapse')
  expect(await hasFocus('Expand')).toBe(true)
  press('Expand')
  expect(await hasFocus('Page')).toBe(true)
})

test('after a press by a pointer nothing gets the focus', async () => {
  const asked = vi.spyOn(globalThis, 'requestAnimationFrame')
  render(
    <section>
      <OnePress button={(onPress) => <Button onClick={onPress}>Retry</Button>} />
      <Button>Next</Button>
    </section>,
  )
  press('Retry', false)
  expect([document.activeElement, asked.mock.calls]).toEqual([document.body, []])
})

test('a key that is still held does not press what gets the focus', async () => {
  render(
    <section>
      <OnePress button={(onPress) => <Button onClick={onPress}>Retry</Button>} />
      <Button>Next</Button>
    </section>,
  )
  press('Retry')
  expect(await hasFocus('Next')).toBe(true)
  const next = screen.getByRole('button', { name: 'Next' })
  const isLeftToBrowser = (event: KeyboardEventInit) => fireEvent.keyDown(next, { key: 'Enter', ...event })
  expect([isLeftToBrowser({ repeat: true }), isLeftToBrowser({}), isLeftToBrowser({ repeat: true })]).toEqual([
    false,
    true,
    true,
  ])
})
