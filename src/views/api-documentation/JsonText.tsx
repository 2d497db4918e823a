import { useLingui } from '@lingui/react/macro'
import styles from './JsonText.module.css'

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
/** Characters. A longer text isn't coloured, which would take too long; one beyond `maxPlainLength` is cut. */
const maxColouredLength = 60_000
const maxPlainLength = 400_000

export function JsonText({ text }: { text: string }) {
  const { t } = useLingui()
  return (
    <pre className={styles.text} tabIndex={0} role="region" aria-label={t`Response body`}>
      {text.length > maxColouredLength ? text.slice(0, maxPlainLength) : coloured(text)}
      {text.length > maxPlainLength && '…'}
    </pre>
  )
}

function coloured(text: string) {
  const parts = []
  let end = 0
  for (const match of text.matchAll(token)) {
    const [whole, string, colon] = match
    parts.push(text.slice(end, match.index))
    const kind = string === undefined ? 'literal' : colon === undefined ? 'string' : 'key'
    parts.push(
      <span key={match.index} className={styles[kind]}>
        {string ?? whole}
      </span>,
    )
    if (colon !== undefined) parts.push(colon)
    end = match.index + whole.length
  }
  parts.push(text.slice(end))
  return parts
}
