import { useMemo } from 'react'
import { Trans, useLingui } from '@lingui/react/macro'
import { formatBytes } from '../../i18n/bytes.ts'
import { formatNumber } from '../../i18n/formats.ts'
import type { Outcome } from '../../machines/api-documentation/api-documentation.machine.ts'
import { BlobPicture } from '../stream-pages/BlobPicture.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Panel } from '../ui/Page.tsx'
import { JsonText } from './JsonText.tsx'
import styles from './ApiDocumentation.module.css'

export function ResponsePanel({ request, response }: Outcome) {
  const { t } = useLingui()
  const text = useMemo(() => (response?.content.kind === 'text' ? pretty(response.content.text) : ''), [response])
  if (response === null) {
    return (
      <Panel title={t`Response`}>
        <p role="status" className={styles.status} data-tone="bad">
          <Trans>No response. The server may be unavailable, or the browser may not be allowed to call it.</Trans>
        </p>
      </Panel>
    )
  }
  const { status, ms, headers, content } = response
  const tone = status < 300 ? 'good' : status < 400 ? 'plain' : 'bad'
  const milliseconds = formatNumber(ms, { maximumFractionDigits: ms < 10 ? 1 : 0 })
  const size = content.kind === 'text' ? new TextEncoder().encode(content.text).length : content.file.size
  return (
    <Panel title={t`Response`} {...(content.kind === 'text' ? { actions: <CopyButton text={text} /> } : {})}>
      <p role="status" className={styles.status} data-tone={tone}>
        <strong>{status}</strong>
        <span>
          <Trans>{milliseconds} ms</Trans>
        </span>
        <span>{formatBytes(size)}</span>
        <code>
          {request.method} {request.path}
        </code>
      </p>
      {content.kind === 'text' ? text !== '' && <JsonText text={text} /> : <File file={content.file} />}
      <details className={styles.headers}>
        <summary>{t`Headers`}</summary>
        <dl>
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </Panel>
  )
}

function File({ file }: { file: Blob }) {
  const { t } = useLingui()
  if (file.type.startsWith('image/'))
    return <BlobPicture picture={file} alt={t`Image in the response`} className={styles.picture} />
  return <p className={styles.muted}>{file.type}</p>
}

function pretty(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    return JSON.stringify(value, null, 2)
  } catch {
    return text
  }
}
