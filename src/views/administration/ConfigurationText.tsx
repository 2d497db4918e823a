import { useState } from 'react'
import { useLingui } from '@lingui/react/macro'
import { brokenText, flatten, isRecord, nest } from '../../machines/administration/configuration-values.ts'
import { TextArea } from '../ui/Field.tsx'

interface ConfigurationTextProps {
  values: Record<string, unknown>
  onEdit: (values: Record<string, unknown>) => void
  /** Keeps text that isn't valid JSON yet. */
  onBreak: (text: string) => void
}

/** The values as JSON. Text that doesn't parse stays in the field with an error and changes no setting. */
export function ConfigurationText({ values, onEdit, onBreak }: ConfigurationTextProps) {
  const { t } = useLingui()
  const [draft, setDraft] = useState(() => textOf(values))
  const broken = values[brokenText]
  const isBroken = typeof broken === 'string'
  /** Values changed elsewhere, by Restore or Discard, replace the text. */
  const shown = isSame(draft, values) ? draft : textOf(values)
  const text = isBroken ? broken : shown
  const change = (next: string) => {
    setDraft(next)
    const parsed = parse(next)
    if (parsed === null) onBreak(next)
    else onEdit(flatten(parsed))
  }
  return (
    <TextArea
      label={t`The configuration as JSON`}
      rows={22}
      spellCheck={false}
      value={text}
      error={isBroken ? t`This isn't valid JSON yet` : undefined}
      onChange={change}
    />
  )
}

const textOf = (values: Record<string, unknown>): string => JSON.stringify(nest(values), null, 2)

const isSame = (text: string, values: Record<string, unknown>): boolean =>
  JSON.stringify(parse(text)) === JSON.stringify(nest(values))

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}
