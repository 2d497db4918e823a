// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useIdle } from './use-idle.ts'

function Controls({ onPress }: { onPress: () => void }) {
  const { wakeHidden } = useIdle(3000)
  return (
    <div onPointerDownCapture={wakeHidden}>
      <button type="button" onClick={onPress}>
        Pause
      </button>
    </div>
  )
}

test('a tap on a hidden button presses nothing, the next one and a key do', () => {
  const onPress = vi.fn()
  render(<Controls onPress={onPress} />)
  const button = screen.getByRole('button')
  const tap = (isVisible: boolean) => {
    button.checkVisibility = () => isVisible
    fireEvent.pointerDown(button, { pointerType: 'touch' })
    fireEvent.click(button, { detail: 1 })
  }
  tap(false)
  expect(onPress).toHaveBeenCalledTimes(0)
  tap(true)
  expect(onPress).toHaveBeenCalledTimes(1)

  button.checkVisibility = () => false
  fireEvent.pointerDown(button, { pointerType: 'touch' })
  fireEvent.click(button, { detail: 0 })
  expect(onPress).toHaveBeenCalledTimes(2)
})
