// @vitest-environment jsdom
import { cleanup, fireEvent, render } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { AngleField } from './AngleField.tsx'

afterEach(cleanup)

function Field() {
  const [degrees, setDegrees] = useState(90)
  return (
    <>
      <AngleField label="Direction" degrees={degrees} onChange={setDegrees} />
      <output>{degrees}</output>
    </>
  )
}

test('an angle can be deleted to type another; left empty, the field has the angle again', () => {
  const { getByLabelText, getByRole } = render(<Field />)
  const field = getByLabelText('Direction')
  const after = (act: () => void) => {
    act()
    return ['value' in field ? field.value : undefined, getByRole('status').textContent]
  }
  const typed = (value: string) => after(() => void fireEvent.change(field, { target: { value } }))
  expect([typed('9'), typed(''), typed('4'), typed('45'), typed(''), after(() => void fireEvent.blur(field))]).toEqual([
    ['9', '9'],
    ['', '9'],
    ['4', '4'],
    ['45', '45'],
    ['', '45'],
    ['45', '45'],
  ])
})
