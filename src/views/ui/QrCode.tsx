import { useMemo } from 'react'
import { useLingui } from '@lingui/react/macro'
import { encode } from 'uqr'
import styles from './QrCode.module.css'

/** Drawn in the browser: the text may be a secret, which no service may see. */
export function QrCode({ text }: { text: string }) {
  const { t } = useLingui()
  const { size, path } = useMemo(() => {
    const { size, data } = encode(text, { ecc: 'M', border: 2 })
    const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
    return { size, path }
  }, [text])
  return (
    <svg
      className={styles.code}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={t`QR code`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
