import { useLingui } from '@lingui/react/macro'
import { FileUp } from 'lucide-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from './Button.tsx'
import styles from './FileDrop.module.css'

interface FileDropProps {
  onFile: (file: File) => void
  /** Handles dropped text. */
  onText?: (text: string) => void
  className?: string | undefined
  children: ReactNode
}

/** An area to drop a file on, `data-over` while one is dragged over it. Keyboard users need a `ChooseFile` inside. */
export function FileDrop({ onFile, onText, className = styles.drop, children }: FileDropProps) {
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    const text = file === undefined && onText !== undefined ? event.dataTransfer.getData('text') : ''
    if (file !== undefined) onFile(file)
    else if (text !== '') onText?.(text)
  }
  return (
    <div
      className={className}
      data-over={isOver ? '' : undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
    </div>
  )
}

interface ChooseFileProps {
  onFile: (file: File) => void
  accept?: string
  disabled?: boolean
}

export function ChooseFile({ onFile, accept, disabled = false }: ChooseFileProps) {
  const { t } = useLingui()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-hidden="true"
        tabIndex={-1}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file !== undefined) onFile(file)
          // The same file can be selected again after it was corrected: without a change, there is no event.
          target.value = ''
        }}
      />
      <Button
        icon={<FileUp size={16} aria-hidden="true" />}
        disabled={disabled}
        onClick={() => input.current?.click()}
      >{t`Choose a file`}</Button>
    </>
  )
}
