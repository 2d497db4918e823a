import { useState } from 'react'
import { useLingui } from '@lingui/react/macro'
import { Check, Copy } from 'lucide-react'
import { useConsole } from '../app/console.ts'
import { IconButton } from './IconButton.tsx'

export function CopyButton({ text }: { text: string }) {
  const { t } = useLingui()
  const { copyText } = useConsole()
  const [isCopied, setCopied] = useState(false)
  return (
    <IconButton
      label={isCopied ? t`Copied` : t`Copy`}
      icon={isCopied ? <Check size={16} /> : <Copy size={16} />}
      onPress={() => void copyText(text).then(setCopied)}
    />
  )
}
