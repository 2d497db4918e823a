// @vitest-environment jsdom
import { act, cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { IconButton } from './IconButton.tsx'

afterEach(cleanup)

test('a button that its press disables keeps the focus, and does nothing until it is enabled again', () => {
  let presses = 0
  const zoomIn = (disabled: boolean) => (
    <IconButton label="Zoom in" icon={null} disabled={disabled} onPress={() => (presses += 1)} />
  )
  const { getByRole, rerender } = render(zoomIn(false))
  const button = getByRole('button')
  act(() => button.focus())
  fireEvent.click(button)
  rerender(zoomIn(true))
  fireEvent.click(button)
  const state = () => [presses, button.matches(':disabled'), button.getAttribute('aria-disabled')]
  const whileFocused = state()
  act(() => button.blur())
  expect([whileFocused, state()]).toEqual([
    [1, false, 'true'],
    [1, true, 'true'],
  ])
})
