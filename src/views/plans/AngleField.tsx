import { type ComponentProps, useState } from 'react'
import { TextField } from '../ui/Field.tsx'

type AngleFieldProps = Pick<ComponentProps<typeof TextField>, 'label' | 'min' | 'max' | 'step'> & {
  degrees: number
  onChange: (degrees: number) => void
}

/** An angle in degrees. The field may be empty while another angle is typed: the last one stays. */
export function AngleField({ degrees, onChange, ...field }: AngleFieldProps) {
  const [isEmpty, setIsEmpty] = useState(false)
  const edit = (text: string) => {
    setIsEmpty(text === '')
    const typed = Number(text)
    if (text !== '' && Number.isFinite(typed)) onChange(typed)
  }
  return (
    <TextField
      {...field}
      type="number"
      value={isEmpty ? '' : degrees}
      onChange={edit}
      onBlur={() => setIsEmpty(false)}
    />
  )
}
