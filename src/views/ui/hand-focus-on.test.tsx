// @vitest-environment jsdom
import { type ReactNode, useState } from 'react'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { patience } from '../../../tests/fixtures/patience.ts'
import { Button } from './Button.tsx'
import { IconButton } from './IconButton.tsx'

afterEach(() => {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  cleanup()
})

function OnePress({ button, after }: { button: (onPress: () => void) => ReactNode; after?: ReactNode }) {
  const [isPressed, setIsPressed] = useState(false)
  return isPressed ? after : button(() => setIsPressed(true))
}

const press = (name: string) => {
  const button = screen.getByRole('button', { name })
  act(() => button.focus())
  fireEvent.click(button)
}
const focusGoesTo = (name: string) =>
  waitFor(() => expect(document.activeElement?.textContent || document.activeElement?.ariaLabel).toBe(name), patience)

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
  await focusGoesTo('Retry')
  press('Retry')
  await focusGoesTo('Earlier')
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
  await focusGoesTo('Expand')
  press('Expand')
  await focusGoesTo('Page')
})
