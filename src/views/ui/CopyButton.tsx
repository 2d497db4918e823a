import { useState } from 'react'
import { useLingui } from '@lingui/react/macro'
import { Check, Copy } from 'lucide-react'
import { useConsole } from '../app/console.ts'
import { IconButton } from './IconButton.tsx'

/** Says that the text was copied, until there is another text. */
export function CopyButton({ text }: { text: string }) {
  const { t } = useLingui()
  const { copyText } = useConsole()
  const [copied, setCopied] = useState<string | null>(null)
  const isCopied = copied === text
  return (
    <IconButton
      label={isCopied ? t`Copied` : t`Copy`}
      icon={isCopied ? <Check size={16} /> : <Copy size={16} />}
      onPress={() => void copyText(text).then((hasCopied) => setCopied(hasCopied ? text : null))}
    />
  )
}
