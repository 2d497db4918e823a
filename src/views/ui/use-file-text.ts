import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'

interface FileText {
  read: (file: File) => void
  /** Set after a failed read, until the field has another value. */
  error: string | undefined
}

/** Fills a field with the text of a file. */
export function useFileText(value: string, onText: (text: string) => void): FileText {
  const { t } = useLingui()
  const [valueAtFailure, setValueAtFailure] = useState<string | null>(null)
  const fill = (text: string) => {
    setValueAtFailure(null)
    onText(text)
  }
  const read = (file: File) => void file.text().then(fill, () => setValueAtFailure(value))
  return { read, error: value === valueAtFailure ? t`The file could not be read.` : undefined }
}
