import type { ComponentProps } from 'react'
import { TextField } from './Field.tsx'

/**
 * A moment, typed as it is shown: `2026-11-21 14:05:03`. A native field would show it by the browser's locale, with AM
 * and PM in some, and the numeric keys of an iPhone have neither `-` nor `:`.
 */
export function MomentField(props: ComponentProps<typeof TextField>) {
  return <TextField placeholder="2026-11-21 14:05:03" autoComplete="off" spellCheck={false} {...props} />
}
